import { type FoundCommand, type ScriptContents, scriptContents } from "../../shell/script-contents.js";
import type { FoundWord } from "../../shell/word-shape.js";
import { cutEndOf } from "../../text/cut.js";
import { argumentsOf, mentionsIn, toBases } from "./command-paths.js";
import {
  allowsCommand,
  mentionsAll,
  namesCommand,
  namesWord,
  programOf,
  toTokens,
} from "./command-pattern.js";
import { type Inner, innerOf, standardName } from "./inner-command.js";
import { type Base, opinionOnPath, opinionOnReads } from "./judge-paths.js";
import { allOf, type CompiledRule, eitherOf, type Opinion, opinionOn, withRule } from "./opinion.js";
import type { Match, Places } from "./path-pattern.js";
import { doubtAbout, insideOf, mustNameInner } from "./wrappers.js";

/** What a script is judged by. */
interface Context {
  readonly rules: readonly CompiledRule[];
  readonly places: Places;
  /** Where the script starts. Undefined: not known. */
  readonly base: Base;
  readonly bases: readonly Base[];
  /** Every directory that the script works in is known and in the project. */
  readonly isInside: boolean;
  /** The words of the script that the agent asked for, with everything in quotes. */
  readonly tokens: readonly string[];
  readonly depth: number;
}

/** Each level doubles the quoting, so real scripts are never this deep. */
const deepest = 6;

/** What the rules say about every part of a script. */
export function judgeScript(
  script: string,
  base: Base,
  rules: readonly CompiledRule[],
  places: Places,
): Opinion[] {
  const tokens = toTokens(script);
  const context: Context = { rules, places, base, bases: [base], isInside: true, tokens, depth: 0 };
  return [...judgeText(script, context), mentionsIn(script, tokens, rules, places, base)];
}

function judgeText(script: string, before: Context): Opinion[] {
  const what = shown(script);
  if (before.depth > deepest) return [doubtful(what, "it is nested too deep", before)];
  const contents = scriptContents(script);
  const context = { ...before, ...toBases(contents, before.bases, before.places) };
  const opinions = [
    ...contents.commands.flatMap((command) => judgeOne(command, context)),
    ...contents.redirections.map((redirection) => judgeRedirection(redirection, context)),
    ...(contents.doubt === undefined ? [] : [doubtful(what, contents.doubt, context)]),
  ];
  return opinions.length > 0 ? opinions : [doubtful(what, "it runs nothing", context)];
}

/** No rule allows it. It is denied if the script has all words of a rule that denies. */
function doubtful(what: string, reason: string, { rules, tokens }: Context): Opinion {
  return rules.reduce<Opinion>(
    (opinion, rule) =>
      rule.command !== undefined && rule.list !== "allow" && mentionsAll(rule.command, tokens)
        ? withRule(opinion, rule, "yes")
        : opinion,
    { what, doubt: { reason } },
  );
}

function judgeRedirection(
  { mode, target }: ScriptContents["redirections"][number],
  context: Context,
): Opinion {
  const { rules, bases, places } = context;
  const [, host] = /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(target.value) ?? [];
  if (host === undefined)
    return opinionOnPath(
      rules,
      { type: mode, path: target.value, isCertain: target.isCertain },
      bases,
      places,
    );
  return opinionOn(rules, {
    what: `a connection to ${host}`,
    operation: "fetch",
    names: ({ fetch }) => fetch?.names(host) ?? "no",
    allows: ({ fetch }) => target.isCertain && (fetch?.allows(host) ?? false),
  });
}

function judgeOne(command: FoundCommand, context: Context): Opinion[] {
  const what = shown([...command.assignments, ...command.words].map(({ value }) => value).join(" "));
  const doubt = doubtAbout(command);
  const inner = doubt === undefined ? innerOf(command) : undefined;
  const own = opinionOnCommand(what, command, inner, context);
  const seen = withArguments(eitherWay(own, command, context), command, context);
  const all = doubt === undefined ? seen : { ...doubtful(what, doubt, context), ...seen };
  if (inner === undefined) return [isHarmless(command, context) ? { ...all, allow: all.allow ?? true } : all];
  if (own.allow !== undefined && own.allow !== true && own.allow.pattern !== undefined) {
    const { allow } = own;
    return [all, ...judgeInner(inner, context).map((opinion) => ({ ...opinion, allow }))];
  }
  const { askAll: _askAll, ...rest } = all;
  return [{ ...rest, allow: true }, ...judgeInner(inner, context)];
}

function judgeInner(inner: Inner, context: Context): Opinion[] {
  const deeper = { ...context, depth: context.depth + 1 };
  if ("script" in inner) return judgeText(inner.script, deeper);
  if (deeper.depth > deepest) return [doubtful("the command", "it is nested too deep", context)];
  return judgeOne({ words: inner.words, assignments: [], documents: [] }, deeper);
}

function opinionOnCommand(
  what: string,
  command: FoundCommand,
  inner: Inner | undefined,
  context: Context,
): Opinion {
  const { words, assignments } = command;
  const written = [...assignments, ...words];
  const isOpen = /^(?:xargs|parallel)$/.test(programOf(words[0]?.value ?? ""));
  const opinion = opinionOn(context.rules, {
    what,
    operation: "command",
    names: (rule) => settled(rule, namesCommandOf(rule, words), context),
    allows: (rule) =>
      rule.command !== undefined &&
      isHere(words[0], context) &&
      allowsCommand(rule.command, { words: written, isOpen }) &&
      (inner === undefined
        ? !mustNameInner(command) || namesAProgram(rule)
        : namesWord(rule.command, inner.start)),
  });
  const inside = insideOf(command);
  const withCommands = inside.commands.reduce(
    (sofar, each) => withInner(sofar, (rule) => namesCommandOf(rule, each, isOpen), context),
    opinion,
  );
  return inside.scripts.reduce((sofar, script) => withScript(sofar, script, context), withCommands);
}

/** The directory is in the project. A program that is named by a relative path is only known where the rules are. */
function isHere(program: FoundWord | undefined, { isInside, bases, places }: Context): boolean {
  if (!isInside) return false;
  const isRelative = /^[^/].*\//.test(program?.value ?? "");
  return !isRelative || bases.every((base) => base === places.cwd);
}

/** `sudo apt install *` says what is run. `sudo *`, `sudo -u root *` and `env A=b *` do not. */
function namesAProgram({ command }: CompiledRule): boolean {
  const [, ...words] = command?.words ?? [];
  if (words.some((word) => word.includes("*"))) return false;
  return !command?.isOpen || (words.length > 0 && words.every((word) => /^[A-Za-z][^=]*$/.test(word)));
}

function namesCommandOf({ command }: CompiledRule, words: readonly FoundWord[], isOpen = false): Match {
  return command === undefined ? "no" : namesCommand(command, { words, isOpen });
}

/** What may be a denied command is one if the script has all of its words. */
function settled({ command }: CompiledRule, match: Match, { tokens }: Context): Match {
  return match === "maybe" && command !== undefined && mentionsAll(command, tokens) ? "yes" : match;
}

function withInner(opinion: Opinion, match: (rule: CompiledRule) => Match, context: Context): Opinion {
  let result = opinion;
  for (const rule of context.rules) {
    if (rule.command === undefined || rule.list === "allow") continue;
    const found = settled(rule, match(rule), context);
    if (found !== "no") result = withRule(result, rule, found);
  }
  return result;
}

/** A text inside a command may be a script. It can only make the command denied or asked. */
function withScript(opinion: Opinion, script: string, context: Context): Opinion {
  if (context.depth >= deepest) return { doubt: { reason: "it is nested too deep" }, ...opinion };
  let result = opinion;
  for (const { deny, ask } of judgeText(script, { ...context, depth: context.depth + 1 }))
    result = { ...result, ...(deny !== undefined && { deny }), ...(ask !== undefined && { ask }) };
  return { ...result, ...(opinion.deny !== undefined && { deny: opinion.deny }) };
}

/** A command that only reads is also judged as what it reads. */
function eitherWay(own: Opinion, { words, reads }: FoundCommand, { rules, bases, places }: Context): Opinion {
  if (reads === undefined || standardName(words[0]?.value ?? "") === undefined) return own;
  const [first, ...others] = opinionOnReads(rules, reads, bases, places);
  return eitherOf(own, first === undefined ? { what: own.what, allow: true } : allOf(first, others));
}

/** Paths and addresses among the arguments can only make a command denied or asked. */
function withArguments(opinion: Opinion, command: FoundCommand, context: Context): Opinion {
  let result = opinion;
  for (const { rule, match } of argumentsOf(command, context.rules, context.bases, context.places)) {
    const isOutranked =
      rule.list === "ask" &&
      rule.pattern === undefined &&
      opinion.allow !== true &&
      opinion.allow?.pattern !== undefined;
    if (!isOutranked) result = withRule(result, rule, match);
  }
  return result;
}

const quiet = new Set(["echo", "true", "false", ":", "pwd"]);

/** Commands that touch nothing need no rule beside others: `cd` inside the project, and words that are printed. */
function isHarmless({ words, assignments }: FoundCommand, { isInside }: Context): boolean {
  const program = words[0]?.value ?? "";
  if (assignments.length > 0 || !words.every(({ isCertain }) => isCertain)) return false;
  return quiet.has(program) || (program === "cd" && words.length === 2 && isInside);
}

/** For people. What only the shell knows is an ellipsis. */
function shown(script: string): string {
  const text = script
    .replace(/[\ue001\ue003]/g, "*")
    .replace(/\ue000/g, "?")
    .replace(/\ue002/g, "…");
  return `\`${cutEndOf(text.replace(/\s+/g, " ").trim(), 120)}\``;
}
