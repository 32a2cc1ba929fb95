import { type Command, type CommandNode, type PipelineNode, parse, type Statement } from "unbash";
import { isQuickToParse } from "./parse-limits.js";
import { parsePlainScript, refusedScript } from "./plain-script.js";
import { toRedirections } from "./redirections.js";
import { literalText, type ShellWord, toShellWord } from "./shell-word.js";

export interface SimpleCommand {
  /** The program as written. */
  readonly program: string;
  readonly words: readonly ShellWord[];
  /** The file that standard input comes from (`<`). */
  readonly input?: string;
  readonly hasRedirections: boolean;
}

/** Simple commands joined by `|`, at least one. */
export type ShellPipeline = readonly [SimpleCommand, ...SimpleCommand[]];

/** One pipeline of a script, and what joins it to the one before it. `;` also stands for a newline and for the first one. */
export interface ScriptPart {
  readonly pipeline: ShellPipeline;
  readonly joint: ";" | "&&" | "||";
}

/**
 * The pipelines of a script, in order. Undefined when the script is more than simple commands whose effects are on the
 * line: loops, groups, functions, `!`, `time`, `&`, assignments, substitutions, here-documents, output to files,
 * syntax errors.
 */
export function parseScript(script: string): readonly ScriptPart[] | undefined {
  if (!isQuickToParse(script)) return undefined;
  const plain = parsePlainScript(script);
  if (plain === refusedScript) return undefined;
  return plain ?? parseAnyScript(script);
}

/** The same with the parser alone. The script must be quick to parse. */
export function parseAnyScript(script: string): readonly ScriptPart[] | undefined {
  try {
    const { commands, errors } = parse(script);
    // In bash a variable may begin on one line and go on in the next. unbash 6.0.3 reads such a `$` as text.
    if (errors?.length || script.includes("$\\\n")) return undefined;
    return toAll(commands.flatMap(joinedNodes), ({ node, joint }) => {
      const pipeline = toPipeline(node, script);
      return pipeline && { pipeline, joint };
    });
  } catch {
    // unbash 6.0.3 overflows the stack on some deeply nested input, also while it resolves the parts of a word.
    return undefined;
  }
}

interface JoinedNode {
  node: PipelineNode | undefined;
  joint: ScriptPart["joint"];
}

function joinedNodes({ command, background }: Statement): readonly JoinedNode[] {
  if (background) return [{ node: undefined, joint: ";" }];
  if (command.type !== "AndOr") return [{ node: command, joint: ";" }];
  return command.commands.map((node, index) => ({ node, joint: command.operators[index - 1] ?? ";" }));
}

function toPipeline(node: PipelineNode | undefined, script: string): ShellPipeline | undefined {
  if (node === undefined || (node.type === "Pipeline" && node.prefixes.length > 0)) return undefined;
  const commands = node.type === "Pipeline" ? node.commands : [node];
  return asPipeline(toAll(commands, (command) => toSimpleCommand(command, script)));
}

function asPipeline(commands: readonly SimpleCommand[] = []): ShellPipeline | undefined {
  const [first, ...rest] = commands;
  return first && [first, ...rest];
}

function toSimpleCommand(node: CommandNode, script: string): SimpleCommand | undefined {
  if (node.type !== "Command" || hasAssignment(node) || hasSkippedText(node, script)) return undefined;
  const program = node.name && literalText(toShellWord(node.name));
  const words = toAll(node.args, (word) => (word.type === "Word" ? toShellWord(word) : undefined));
  const redirections = toRedirections(node.redirects);
  if (program === undefined || words === undefined || redirections === undefined) return undefined;
  return { program, words, ...redirections, hasRedirections: node.redirects.length > 0 };
}

function hasAssignment({ prefix }: Command): boolean {
  return prefix.some(({ type }) => type === "Assignment");
}

/** unbash 6.0.3 skips a stray `(` without an error. In bash, `cat (a` is a syntax error. */
function hasSkippedText({ prefix, name, suffix }: Command, script: string): boolean {
  const parenthesis = /(?:[ \t]|\\\n)*\(/y;
  return [...prefix, ...(name ? [name] : []), ...suffix].some(({ end }) => {
    parenthesis.lastIndex = end;
    return parenthesis.test(script);
  });
}

function toAll<From, To>(items: readonly From[], convert: (item: From) => To | undefined): To[] | undefined {
  const converted: To[] = [];
  for (const item of items) {
    const value = convert(item);
    if (value === undefined) return undefined;
    converted.push(value);
  }
  return converted;
}
