import { type Command, type CommandNode, type Pipeline, parse, type Redirection } from "unbash";
import { classifyCommand } from "./classify-command.js";
import { isQuickToParse } from "./parse-limits.js";
import type { ShellOperation } from "./shell-operation.js";
import { expandWord, type FoundWord } from "./word-shape.js";

/** Everything that a script runs and opens, loops, functions and substitutions included. */
export interface ScriptContents {
  readonly commands: readonly FoundCommand[];
  readonly redirections: readonly FoundRedirection[];
  /** Why the script may do more than is listed. Absent: it does nothing else. */
  readonly doubt?: string;
}

export interface FoundCommand {
  /** The program and its arguments. Braces are expanded. Empty for assignments without a program. */
  readonly words: readonly FoundWord[];
  /** `NAME=value` before the program. */
  readonly assignments: readonly FoundWord[];
  /** The texts of here-documents and here-strings that it reads. */
  readonly documents: readonly string[];
  /** What it does, or its whole pipeline, if it certainly only reads, searches or lists. Empty: it only filters the pipe. */
  readonly reads?: readonly ShellOperation[];
}

export interface FoundRedirection {
  readonly mode: "read" | "write";
  readonly target: FoundWord;
}

/** Never throws. A script that cannot be parsed has no commands and a doubt. */
export function scriptContents(script: string): ScriptContents {
  if (!isQuickToParse(script)) return unknown("it is too long or too complex to be parsed");
  if (unexpected.test(script)) return unknown("it contains characters that a shell may read differently");
  try {
    const { errors, commands } = parse(script);
    if (errors?.length) return unknown("it cannot be parsed");
    const found: Found = { commands: [], redirections: [], doubts: [], source: script };
    visit(commands, found);
    const [doubt] = found.doubts;
    return {
      commands: found.commands,
      redirections: found.redirections,
      ...(doubt !== undefined && { doubt }),
    };
  } catch {
    // unbash 6.0.3 overflows the stack on some deeply nested input.
    return unknown("it cannot be parsed");
  }
}

/**
 * Control characters and the private characters that stand for wildcards in a `FoundWord`. In bash a variable may begin on
 * one line and go on in the next; unbash 6.0.3 reads such a `$` as text.
 */
const unexpected = /[\u0000-\u0008\u000b-\u001f\u007f\ue000-\ue00f]|\$\\\n/;

function unknown(doubt: string): ScriptContents {
  return { commands: [], redirections: [], doubt };
}

interface Found {
  commands: FoundCommand[];
  redirections: FoundRedirection[];
  doubts: string[];
  /** The text that the positions of the nodes refer to. */
  source: string;
}

/** Properties of syntax nodes that hold other nodes. */
const childKeys = [
  "commands",
  "command",
  "body",
  "clause",
  "then",
  "elif",
  "else",
  "name",
  "prefix",
  "suffix",
  "redirects",
  "target",
  "wordlist",
  "parts",
  "script",
  "expression",
  "left",
  "right",
  "operand",
  "operands",
  "test",
  "consequent",
  "alternate",
  "value",
  "elements",
  "index",
  "operation",
  "pattern",
  "replacement",
  "offset",
  "length",
  "items",
  "word",
  "initialize",
  "update",
] as const;

const doubtful: Readonly<Record<string, string>> = {
  Function: "it defines a function",
  Transform: "it expands a variable as a prompt",
  // The value of a variable in arithmetic is evaluated, and may run a command: x='a[$(id)]'; echo $((x))
  ArithmeticExpansion: "it computes with arithmetic",
  ArithmeticCommand: "it computes with arithmetic",
  ArithmeticFor: "it computes with arithmetic",
  TestCommand: "it has a test in [[ ]]",
};

function visit(node: unknown, found: Found): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, found);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const { type } = node as { type?: string };
  const doubt = doubtful[type ?? ""];
  if (doubt !== undefined) found.doubts.push(doubt);
  if (type === "Pipeline" || type === "Command") return visitPipeline(node as Pipeline | Command, found);
  if (type === "Redirect" || type === "HereString" || type === "HereDoc")
    addRedirection(node as Redirection, found);
  if (type === "Script" || type === "CommandExpansion" || type === "ProcessSubstitution")
    return visitSubstitution(node as { script?: unknown; source?: string }, found);
  visitChildren(node, found);
}

function visitChildren(node: object, found: Found): void {
  for (const key of childKeys) if (key in node) visit(Reflect.get(node, key), found);
}

/** A substitution in escaped backticks has a text of its own, which its positions refer to. */
function visitSubstitution(node: { script?: unknown; source?: string }, found: Found): void {
  if ("script" in node && node.script === undefined) found.doubts.push("it cannot be parsed");
  visitChildren(node, { ...found, source: node.source ?? found.source });
}

function visitPipeline(node: Pipeline | Command, found: Found): void {
  const commands: readonly CommandNode[] = node.type === "Pipeline" ? node.commands : [node];
  const whole = readsOf(found.source.slice(node.pos, node.end));
  for (const [index, command] of commands.entries()) {
    if (command.type !== "Command") {
      visit(command, found);
      continue;
    }
    const text = found.source.slice(command.pos, command.end);
    addCommand(command, whole ?? readsOf(text) ?? (index > 0 && isFilter(text) ? [] : undefined), found);
  }
}

function readsOf(text: string): readonly ShellOperation[] | undefined {
  const { operations } = classifyCommand(text);
  return operations.length > 0 ? operations : undefined;
}

/** The command reads only the pipe, so behind `cat` it changes nothing about what is read. */
function isFilter(text: string): boolean {
  return readsOf(`cat x | ${text}`) !== undefined;
}

function addCommand(node: Command, reads: readonly ShellOperation[] | undefined, found: Found): void {
  const { name, prefix, args, redirects } = node;
  const assignments = prefix.flatMap((part) => (part.type === "Assignment" ? [part] : []));
  if (hasSkippedText(node, found.source)) found.doubts.push("it has a parenthesis in an unexpected place");
  found.commands.push({
    words: [...(name ? [name] : []), ...args].flatMap((word) =>
      word.type === "Word" ? expandWord(word) : [assigned(word.text)],
    ),
    assignments: assignments.map(({ text }) => assigned(text)),
    documents: redirects.flatMap(documentOf),
    ...(reads !== undefined && { reads }),
  });
  for (const part of [name, ...prefix, ...node.suffix]) visit(part, found);
}

/** An assignment as it is written. It is certain only if nothing in it is expanded. */
function assigned(text: string): FoundWord {
  return { value: text.replace(/['"]/g, ""), isCertain: /^[\w.]+=[\w./:@%+,-]*$/.test(text) };
}

function documentOf(redirection: Redirection): string[] {
  if (redirection.type === "HereDoc") return [redirection.body.text];
  if (redirection.type === "HereString") return [redirection.target?.value ?? ""];
  return [];
}

const sinks = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"]);

function addRedirection(redirection: Redirection, found: Found): void {
  if (redirection.type !== "Redirect") return;
  const { operator, target } = redirection;
  const words = target === undefined ? [] : expandWord(target);
  if (words.length !== 1) found.doubts.push("a redirection has no certain target");
  for (const word of words) {
    const isDescriptor = /^[<>]&$/.test(operator) && word.isCertain && /^(?:\d+-?|-)$/.test(word.value);
    if (isDescriptor || (word.isCertain && sinks.has(word.value))) continue;
    if (operator.includes("<")) found.redirections.push({ mode: "read", target: word });
    if (operator !== "<" && operator !== "<&") found.redirections.push({ mode: "write", target: word });
  }
}

/** unbash 6.0.3 skips a stray `(` without an error. In bash, `cat (a` is a syntax error. */
function hasSkippedText({ prefix, name, suffix }: Command, source: string): boolean {
  const parenthesis = /(?:[ \t]|\\\n)*\(/y;
  return [...prefix, ...(name ? [name] : []), ...suffix].some(({ end }) => {
    parenthesis.lastIndex = end;
    return parenthesis.test(source);
  });
}
