import { type CommandNode, type PipelineNode, parse, type Statement } from "unbash";
import { isQuickToParse } from "./parse-limits.js";
import { literalText, toShellWord } from "./shell-word.js";

/** Where a shell is: relative to where it was before the script, or absolute. Undefined: it cannot be known. */
type Place = string | undefined;

/** The state of the shell. `before` is the place that `cd -` returns to, `stack` has the places that `popd` returns to. */
interface State {
  readonly at: Place;
  readonly before: Place;
  readonly stack: readonly Place[];
}

/** How a command may end, and the state it then leaves. It cannot end in a way that is left out. */
interface Ends {
  readonly success?: State | undefined;
  readonly failure?: State | undefined;
  /** The shell itself may end, with `exit`. */
  readonly leaves?: boolean;
}

/** What is known about a script besides its text. */
interface Known {
  readonly script: string;
  /** What it printed, standard error included. Undefined: not known. */
  readonly printed: string | undefined;
}

/** A word that begins a command comes after one of these, and after assignments. */
const commandStart = String.raw`(?:^|[\n;&|(){}\x60!]|\b(?:if|elif|then|else|while|until|do|time|command|builtin)\b)[ \t]*(?:\w{1,50}=\S{0,200}[ \t]+){0,8}`;

/** Programs of the shell that change its directory, or run text that may do so. */
const movers = new RegExp(
  `${commandStart}\\\\?(?:(?:cd|chdir|pushd|popd|eval|source)(?![\\w./-])|\\.(?=[ \\t]))`,
);
const leavers = /\b(?:exit|exec|return)\b/;

const alwaysSucceed = new Set(["true", ":", "echo", "printf", "export"]);

/** Files that are sourced for their variables. They do not change the directory. */
const variablesOnly = /(?:^|\/)(?:activate|nvm\.sh|\.?env|\.(?:bash|zsh)rc|\.(?:bash_|z)?profile)$/;

/**
 * The directory of a shell after a script that exited 0: absolute, or relative to the directory before it (`.` if it is the
 * same). Undefined if that cannot be known. A script that ends its shell (`exit`) leaves the directory as it was.
 *
 * `printed` is the output of the script. A failed `cd` prints an error, so without one `cd src; ls` is certain.
 */
export function changedDirectory(written: string, printed?: string): string | undefined {
  const script = withoutDocuments(written);
  if (!movers.test(script)) return ".";
  try {
    if (!isQuickToParse(script) || /\bCDPATH\b/.test(script)) return undefined;
    const { commands, errors } = parse(script);
    if (errors?.length || script.includes("$\\\n")) return undefined;
    const start: State = { at: ".", before: undefined, stack: [] };
    const { success, leaves } = runAll(commands, start, { script, printed });
    if (!leaves) return success?.at;
    return success === undefined || success.at === start.at ? start.at : undefined;
  } catch {
    // unbash 6.0.3 overflows the stack on some deeply nested input.
    return undefined;
  }
}

/** A here-document is text, or runs commands in other shells. Agents write whole files with it. */
function withoutDocuments(script: string): string {
  return script.split("<<", 10).length > 9 ? script : script.replace(hereDocument, "$1$4");
}

const hereDocument = /(<<-?[ \t]*(['"]?)([\w.-]+)\2[^\n]*\n)(?:[\s\S]*?\n)??([ \t]*\3(?=\n|$))/g;

function runAll(statements: readonly Statement[], start: State, known: Known): Ends {
  let ends: Ends = { success: start };
  for (const statement of statements) {
    const state = either(ends.success, ends.failure);
    if (state === undefined) return ends;
    const leaves = ends.leaves ?? false;
    ends = runStatement(statement, state, known);
    ends = { ...ends, leaves: leaves || (ends.leaves ?? false) };
  }
  return ends;
}

function runStatement({ command, background }: Statement, state: State, known: Known): Ends {
  if (background) return { success: state };
  if (command.type !== "AndOr") return runPipeline(command, state, known);
  const [first, ...others] = command.commands;
  let ends: Ends = first === undefined ? { success: state } : runPipeline(first, state, known);
  for (const [index, node] of others.entries()) {
    const isAnd = command.operators[index] === "&&";
    const from = isAnd ? ends.success : ends.failure;
    if (from === undefined) continue;
    const next = runPipeline(node, from, known);
    ends = {
      success: isAnd ? next.success : either(ends.success, next.success),
      failure: isAnd ? either(ends.failure, next.failure) : next.failure,
      leaves: (ends.leaves ?? false) || (next.leaves ?? false),
    };
  }
  return ends;
}

function runPipeline(node: PipelineNode, state: State, known: Known): Ends {
  if (node.type !== "Pipeline") return runCommand(node, state, known);
  const [only, ...others] = node.commands;
  const last = others.at(-1);
  const ends =
    last !== undefined
      ? // bash runs every command of a pipe in a shell of its own. zsh runs the last one in the shell itself.
        eitherWay(mayMove(last, known) ? lost(state) : state)
      : only === undefined
        ? eitherWay(state)
        : runCommand(only, state, known);
  const isNegated = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
  return isNegated ? { ...ends, success: ends.failure, failure: ends.success } : ends;
}

function runCommand(node: CommandNode, state: State, known: Known): Ends {
  switch (node.type) {
    case "Command":
      return runSimple(node, state, known);
    case "BraceGroup":
      return runAll(node.body.commands, state, known);
    case "Redirected":
      return runCommand(node.command, state, { ...known, printed: undefined });
    case "Subshell":
    case "Coproc":
      return eitherWay(state);
    case "Function":
      // It may be called from anywhere.
      if (mayMove(node, known)) throw new Error("a function that changes the directory");
      return { success: state };
    default: {
      const text = known.script.slice(node.pos, node.end);
      return { ...eitherWay(mayMove(node, known) ? lost(state) : state), leaves: leavers.test(text) };
    }
  }
}

function runSimple(node: CommandNode & { type: "Command" }, state: State, known: Known): Ends {
  const words = [...(node.name ? [node.name] : []), ...node.args].map((word) =>
    word.type === "Word" ? toShellWord(word) : undefined,
  );
  const isPrefixed = words[0]?.value === "command" || words[0]?.value === "builtin";
  const [program, ...given] = isPrefixed ? words.slice(1) : words;
  const texts = given.map(literalText);
  switch (program?.value) {
    case "cd":
    case "chdir":
      // A redirection may hide the error message of `cd`.
      return goTo(targetOf(texts), state, node.redirects.length === 0 ? known.printed : undefined);
    case "pushd": {
      const { success, failure } = goTo(texts.length === 1 ? texts[0] : undefined, state, undefined);
      return { success: success && { ...success, stack: [...state.stack, state.at] }, failure };
    }
    case "popd":
      return {
        success: { ...state, at: state.stack.at(-1), stack: state.stack.slice(0, -1) },
        failure: state,
      };
    case "source":
    case ".":
      return eitherWay(variablesOnly.test(texts[0] ?? "") ? state : lost(state));
    case "eval":
      return { ...eitherWay(lost(state)), leaves: true };
    case "exec":
      return given.length === 0 ? { success: state } : { failure: state, leaves: true };
    case "exit":
    case "return":
      // The script exited 0, so it did not come to `exit 1`.
      return /^[1-9]\d*$/.test(texts[0] ?? "") ? {} : { leaves: true };
    case "false":
      return { failure: state };
    default:
      return alwaysSucceed.has(program?.value ?? "") && node.redirects.length === 0
        ? { success: state }
        : eitherWay(state);
  }
}

/** The one directory that `cd` is given. Undefined: none (which means home), several, or one that only the shell knows. */
function targetOf(words: readonly (string | undefined)[]): string | undefined {
  const start = words.findIndex((word) => word === undefined || !/^-[LPe@]+$/.test(word));
  const rest = start === -1 ? [] : words.slice(start);
  const [word, ...others] = rest[0] === "--" ? rest.slice(1) : rest;
  return others.length === 0 ? word : undefined;
}

/** A `cd` to a place, as it was written. */
function goTo(word: string | undefined, state: State, printed: string | undefined): Ends {
  const at = word === "-" ? state.before : placeAfter(word, state.at);
  const success = { ...state, at, before: state.at };
  if (printed === undefined || word === undefined) return { success, failure: state };
  if (!/\bcd:/.test(printed)) return { success };
  return printed.includes(`: cd: ${word}: `) ? { failure: state } : { success, failure: state };
}

function placeAfter(word: string | undefined, at: Place): Place {
  if (word === undefined || /^[~+-]/.test(word)) return undefined;
  const isAbsolute = word.startsWith("/");
  if (/[\\:]/.test(word) || (!isAbsolute && at === undefined)) return undefined;
  const parts: string[] = [];
  for (const part of `${isAbsolute ? "" : `${at}/`}${word}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  if (isAbsolute || at?.startsWith("/")) return `/${parts.filter((part) => part !== "..").join("/")}`;
  return parts.join("/") || ".";
}

function mayMove(node: CommandNode, { script }: Known): boolean {
  return movers.test(script.slice(node.pos, node.end));
}

function eitherWay(state: State): Ends {
  return { success: state, failure: state };
}

function lost(state: State): State {
  return { at: undefined, before: undefined, stack: state.stack.map(() => undefined) };
}

/** What is known if one of two states holds. */
function either(one: State | undefined, other: State | undefined): State | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  const isSameStack =
    one.stack.length === other.stack.length &&
    one.stack.every((place, index) => place === other.stack[index]);
  return {
    at: one.at === other.at ? one.at : undefined,
    before: one.before === other.before ? one.before : undefined,
    stack: isSameStack ? one.stack : [],
  };
}
