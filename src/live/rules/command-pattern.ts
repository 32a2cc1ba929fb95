import { type FoundWord, hasWildcard, wildcards } from "../../shell/word-shape.js";
import { foldText } from "./fold-text.js";
import { longestText, overlaps, toGlob } from "./glob.js";
import type { Match } from "./path-pattern.js";

/** A rule's pattern for commands. */
export interface CommandPattern {
  /** The words without their quotes. A last `*` is left out. */
  readonly words: readonly string[];
  /** The pattern ends with `*`: any words may follow, or none. */
  readonly isOpen: boolean;
}

/** A command as it is compared: its words, and whether unknown ones may follow (`xargs git`). */
export interface ComparedCommand {
  readonly words: readonly FoundWord[];
  readonly isOpen?: boolean;
}

export function compileCommand(pattern: string): CommandPattern {
  const words = (pattern.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) =>
    word.replace(/["']/g, ""),
  );
  const isOpen = words.length > 1 && words.at(-1) === "*";
  return { words: isOpen ? words.slice(0, -1) : words, isOpen };
}

/** True if the pattern allows exactly this command. Only the `*` at its end allows words that are not certain. */
export function allowsCommand(pattern: CommandPattern, command: ComparedCommand): boolean {
  const { words } = command;
  if (words.length < pattern.words.length || (command.isOpen && !pattern.isOpen)) return false;
  if (words.length > pattern.words.length && !pattern.isOpen) return false;
  return pattern.words.every((text, index) => {
    const word = words[index];
    return word?.isCertain === true && allowsWord(text, word.value);
  });
}

function allowsWord(pattern: string, value: string): boolean {
  if (!pattern.includes("*")) return pattern === value;
  if (pattern === "*") return true;
  // `src/*` must not allow `src/..`. A `?` is not a wildcard here: it is part of many URLs.
  const glob = pattern.replace(/\*+/g, wildcards.some);
  return !/(?:^|\/)\.\.(?:\/|$)/.test(value) && overlaps(glob, value);
}

/** The index of the pattern's word that names a program which another one runs must not be a wildcard. */
export function namesWord(pattern: CommandPattern, index: number): boolean {
  const word = pattern.words[index];
  return word !== undefined && !word.includes("*");
}

/**
 * Whether a rule that denies or asks is about this command. Options may be anywhere, in any order and spelling; words may
 * follow; the program may be spelled as a path.
 */
export function namesCommand(pattern: CommandPattern, { words, isOpen = false }: ComparedCommand): Match {
  const [program, ...rest] = pattern.words;
  const [first, ...given] = words;
  if (program === undefined || first === undefined) return "no";
  const named = namesProgram(program, first);
  if (named === "no" || given.length > mostWords) return named === "no" ? "no" : "maybe";
  const options = rest.filter(isOption).map((option) => givesOption(option, given, isOpen));
  return least([named, ...options, namesOperands(rest, given, isOpen)]);
}

const mostWords = 2000;

function namesProgram(pattern: string, word: FoundWord): Match {
  const glob = toGlob(programOf(pattern), wildcards.any);
  const value = programOf(word.value);
  if (!overlaps(glob, value))
    return value.includes(wildcards.any) && mayBeSeveral(glob, value) ? "maybe" : "no";
  return value.includes(wildcards.any) ? "maybe" : "yes";
}

/** `$x` may be a program and its arguments: `git${IFS}push`. */
function mayBeSeveral(program: string, value: string): boolean {
  return overlaps(program + wildcards.any, value) || value.startsWith(wildcards.any);
}

/** `git` for `/usr/bin/git`, `./GIT` and `git.exe`. */
export function programOf(value: string): string {
  const folded = foldText(value.replaceAll("\\", "/"));
  return folded.slice(folded.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd|bat|com|ps1)$/, "");
}

function isOption(word: string): boolean {
  return /^-./.test(word);
}

/** `-rf` is given by `-r -f`, `-fr` and `--recursive --force`; `--force` also by `-f` and `--forc`. */
function givesOption(pattern: string, given: readonly FoundWord[], isOpen: boolean): Match {
  const wanted = foldText(pattern);
  const words = given.map(({ value }) => foldText(value)).filter(isOption);
  if (words.some((word) => overlaps(toGlob(wanted, wildcards.any), word)) || isSpelled(wanted, words))
    return "yes";
  return isOpen || given.some(({ value }) => hasWildcard(value)) ? "maybe" : "no";
}

function isSpelled(wanted: string, words: readonly string[]): boolean {
  const long = words.filter((word) => word.startsWith("--")).map((word) => word.slice(2).replace(/=.*$/, ""));
  const letters = words.filter((word) => !word.startsWith("--")).join("");
  if (wanted.startsWith("--")) {
    const name = wanted.slice(2).replace(/=.*$/, "");
    const isLong = long.some((each) => each !== "" && (each.startsWith(name) || name.startsWith(each)));
    return isLong || letters.includes(name.charAt(0) || "-");
  }
  return [...wanted.slice(1)].every(
    (letter) => letters.includes(letter) || long.some((name) => name.startsWith(letter)),
  );
}

/**
 * The other words, in order. Before the first one only options and their values may come (`git -C dir push`): it is a
 * subcommand, and `git log push` is not a push. Between the others anything may.
 */
function namesOperands(pattern: readonly string[], given: readonly FoundWord[], isOpen: boolean): Match {
  const wanted = pattern.filter((word) => !isOption(word) && word !== "*");
  const isSubcommand = /^[\w:@.-]+$/.test(wanted[0] ?? "") && pattern.find((word) => !isOption(word)) !== "*";
  // states[n] is how certain it is that n words have been found in the words so far.
  let states: Match[] = ["yes", ...wanted.map((): Match => "no")];
  let before = "";
  for (const { value } of given) {
    const text = foldText(value);
    const maySkip = isOption(text) || isOption(before) || text === "" || value.includes(wildcards.any);
    states = states.map((stay, count) => {
      const isFound =
        wanted[count - 1] !== undefined && count > 0 ? namesWordAt(wanted[count - 1] ?? "", text) : "no";
      const moved = least([states[count - 1] ?? "no", isFound]);
      const skipped = count > 0 || !isSubcommand || maySkip || wanted.length === 0 ? stay : "no";
      return most([moved, skipped]);
    });
    before = text;
  }
  const found = states.at(-1) ?? "no";
  return found === "no" && isOpen && states.some((state) => state !== "no") ? "maybe" : found;
}

function namesWordAt(pattern: string, text: string): Match {
  if (!overlaps(toGlob(foldText(pattern), wildcards.any), text)) return "no";
  return text.includes(wildcards.any) ? "maybe" : "yes";
}

const order: readonly Match[] = ["no", "maybe", "yes"];

function least(matches: readonly Match[]): Match {
  return order[Math.min(...matches.map((match) => order.indexOf(match)))] ?? "no";
}

function most(matches: readonly Match[]): Match {
  return order[Math.max(...matches.map((match) => order.indexOf(match)))] ?? "no";
}

/** The words and options of a pattern that a text must contain for the rule to be about it, folded. */
function neededWords({ words }: CommandPattern): { words: string[]; options: string[] } {
  const all = words.map((word, index) => (index === 0 ? programOf(word) : foldText(word)));
  return { words: all.filter((word) => !isOption(word)), options: all.filter(isOption) };
}

/** The pieces of a script that may be words, with quotes and escapes removed. `${x-push}` also has the piece `push`. */
export function toTokens(script: string): string[] {
  const isFine = script.includes("${");
  return script
    .replace(/\\\n/g, "")
    .replace(/["'\\]/g, "")
    .split(/[\s\p{Z};|&(){}<>`$=,:!@#[\]]+/u)
    .flatMap((token) => (isFine ? [token, ...token.split(/[^\p{L}\p{M}\p{N}]+/u)] : [token]))
    .flatMap((token) => (token === "" ? [] : [foldText(token)]));
}

/** True if a text has the words of a rule in their order. It may be harmless (`echo git push`), so it is no proof. */
export function mentionsInOrder(pattern: CommandPattern, tokens: readonly string[]): boolean {
  const { words, options } = neededWords(pattern);
  let next = 0;
  for (const token of tokens) if (isMention(words[next], token)) next += 1;
  return words.length > 0 && next === words.length && areGiven(options, tokens);
}

export function mentionsAll(pattern: CommandPattern, tokens: readonly string[]): boolean {
  const { words, options } = neededWords(pattern);
  const isThere = words.every((word) => tokens.some((token) => isMention(word, token)));
  return words.length > 0 && isThere && areGiven(options, tokens);
}

function isMention(word: string | undefined, token: string): boolean {
  if (word === undefined) return false;
  if (word.includes("*"))
    return token.length > longestText || overlaps(toGlob(word, wildcards.any), toGlob(token, wildcards.any));
  return token === word || programOf(token) === word;
}

function areGiven(options: readonly string[], tokens: readonly string[]): boolean {
  const given = tokens.filter(isOption);
  return options.every((option) => given.includes(option) || isSpelled(option, given));
}
