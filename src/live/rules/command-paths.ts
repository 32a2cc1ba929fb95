import { type FoundCommand, type ScriptContents, scriptContents } from "../../shell/script-contents.js";
import { type FoundWord, hasWildcard } from "../../shell/word-shape.js";
import { mentionsInOrder, programOf } from "./command-pattern.js";
import { standardName } from "./inner-command.js";
import { type Base, namesAny } from "./judge-paths.js";
import type { CompiledRule, Opinion } from "./opinion.js";
import {
  allowsPath,
  compilePath,
  type Match,
  mayBeInside,
  type PathSubject,
  type Places,
  toSubject,
} from "./path-pattern.js";
import { knownReaders, knownWriters } from "./wrappers.js";

/** A rule that denies or asks, and how certain it is that the command is about it. */
export interface Named {
  readonly rule: CompiledRule;
  readonly match: Match;
}

const mostBases = 8;
const movers = new Set(["cd", "chdir", "pushd", "popd"]);

/** The directories that a script works in, before and after each `cd`. */
export function toBases(
  { commands }: ScriptContents,
  start: readonly Base[],
  places: Places,
): { bases: readonly Base[]; isInside: boolean } {
  let bases = new Set<Base>(start);
  for (const { words } of commands) {
    const [program, ...rest] = words;
    const isDirectory = program !== undefined && movers.has(programOf(program.value));
    const isChanged = rest.some(({ value }) =>
      /^(?:-C|--directory|--chdir|--prefix|--cwd)(?:=|$)/.test(value),
    );
    if (!isDirectory && !isChanged) continue;
    const target = isDirectory ? targetOf(rest) : undefined;
    const next = target === undefined ? [undefined] : [...bases].map((base) => goTo(target, base, places));
    bases = new Set([...bases, ...next]);
    // After too many the directory counts as unknown.
    if (bases.size > mostBases) bases = new Set([...[...bases].slice(0, mostBases - 1), undefined]);
  }
  const project = compilePath(`${places.cwd}/`, places);
  const isInside = [...bases].every(
    (base) => base !== undefined && allowsPath(project, toSubject(base, base, places)),
  );
  return { bases: [...bases], isInside };
}

function targetOf(words: readonly FoundWord[]): string | undefined {
  const [word, ...others] = words.filter(({ value }) => !/^-[LPe@-]/.test(value));
  if (word === undefined) return "~";
  return others.length === 0 && word.isCertain && !/^[-+]/.test(word.value) ? word.value : undefined;
}

function goTo(target: string, base: Base, { home }: Places): Base {
  if (target === "~" || target.startsWith("~/")) return `${home}/${target.slice(2)}`;
  if (target.startsWith("/")) return target;
  return base === undefined ? undefined : `${base}/${target}`;
}

/** The rules that deny or ask about a path or an address among the words of a command. */
export function argumentsOf(
  command: FoundCommand,
  rules: readonly CompiledRule[],
  bases: readonly Base[],
  places: Places,
): Named[] {
  const { words, assignments, reads } = command;
  const isReading = reads !== undefined && standardName(words[0]?.value ?? "") !== undefined;
  const queries = (reads ?? []).flatMap((read) => (read.type === "search" ? read.query.split("|") : []));
  const given = [...words.slice(1), ...assignments].filter(
    ({ value }) => !isReading || !queries.includes(value),
  );
  const isListing = isReading && reads.every(({ type }) => type === "list");
  const pieces = isListing ? [] : given.flatMap(({ value }) => piecesOf(value));
  const found = [...new Set(pieces)].slice(0, mostPieces).map((path) => ({
    path,
    subjects: bases.map((base) => toSubject(path, base, places, !hasWildcard(path))),
  }));
  const program = programOf(words[0]?.value ?? "");
  const urls = addressesIn(program, given);
  const isUnread = pieces.length > mostPieces;
  return rules.flatMap((rule): Named[] => {
    if (rule.list === "allow") return [];
    if (rule.operation === "fetch") return namesFetch(rule, urls);
    if (rule.operation !== "read" && rule.operation !== "write") return [];
    if (isReading && (rule.operation === "write" || rule.pattern === undefined)) return [];
    const isKnown =
      (rule.operation === "read" ? knownReaders : knownWriters).has(program) || isInPlace(command);
    if (rule.pattern === undefined) return isKnown && words.length > 1 ? [{ rule, match: "yes" }] : [];
    if (isUnread) return [{ rule, match: "maybe" }];
    const match = strongest(found.map(({ subjects }) => namesAny(rule, subjects)));
    const { path } = rule;
    const isTree =
      knownWriters.has(program) &&
      path !== undefined &&
      found.some(({ subjects }) => subjects.some((subject) => mayBeInside(path, subject)));
    if (match === "no") return isTree ? [{ rule, match: "maybe" }] : [];
    return [{ rule, match: rule.operation === "read" || isKnown ? match : "maybe" }];
  });
}

const mostPieces = 300;

function strongest(matches: readonly Match[]): Match {
  return matches.includes("yes") ? "yes" : matches.includes("maybe") ? "maybe" : "no";
}

/** The paths that a word may name: `a`, `--file=a`, `-fa`, `@a`, `host:a`, `A=a`. */
function piecesOf(value: string): string[] {
  if (value.length > 4096) return [];
  const parts = value.split(/[=@:,]/);
  const tails = parts.map((_part, index) =>
    value.slice(parts.slice(0, index).join(" ").length + (index > 0 ? 1 : 0)),
  );
  const glued = /^-[A-Za-z]./.test(value) ? [value.slice(2)] : [];
  return [...parts, ...tails, ...glued].filter((piece) => piece !== "" && !/^-{1,2}\w*$/.test(piece));
}

/** `sed -i`, `perl -i`, `sort -o` and the like write the files that they are given. */
function isInPlace({ words }: FoundCommand): boolean {
  return words.slice(1).some(({ value }) => /^(?:-i|--in-place|-o|--output|of=|--write|--fix)/.test(value));
}

const fetchers = new Set("curl wget http https aria2c lynx w3m links nc ncat telnet ftp sftp".split(" "));

function addressesIn(program: string, words: readonly FoundWord[]): string[] {
  const isFetcher = fetchers.has(program);
  return words.flatMap(({ value }) => {
    const url = /[a-z][a-z0-9+.-]*:\/\/[^\s'"]+/i.exec(value)?.[0];
    if (url !== undefined) return [url];
    return isFetcher && /^[^-].*[.:]|^localhost/.test(value) ? [value] : [];
  });
}

function namesFetch(rule: CompiledRule, urls: readonly string[]): Named[] {
  if (urls.length === 0) return [];
  if (rule.fetch === undefined) return [{ rule, match: "yes" }];
  const match = strongest(urls.map((url) => rule.fetch?.names(url) ?? "no"));
  return match === "no" ? [] : [{ rule, match }];
}

/**
 * A last look at the text of a script. If it has the words of a rule that denies, in their order, no rule allows it, also
 * when the words seem harmless (`echo git push`). So adding text to a denied command never makes it allowed.
 */
export function mentionsIn(
  script: string,
  tokens: readonly string[],
  rules: readonly CompiledRule[],
  places: Places,
  base: Base,
): Opinion {
  const paths = isOnlyReading(scriptContents(script)) ? [] : pathsIn(script, places, base);
  const isMentioned = (rule: CompiledRule): boolean => {
    if (rule.command !== undefined) return mentionsInOrder(rule.command, tokens);
    return (rule.operation === "read" || rule.operation === "write") && namesAny(rule, paths) === "yes";
  };
  const rule = rules.find((each) => each.list !== "allow" && isMentioned(each));
  if (rule === undefined) return { what: "the script", allow: true };
  const verb = rule.list === "deny" ? "denies" : "asks about";
  return { what: "the script", doubt: { reason: `it mentions what the rule "${rule.text}" ${verb}`, rule } };
}

/** Then its paths are known from its operations, and its other words are what is searched for. */
function isOnlyReading({ commands, doubt }: ScriptContents): boolean {
  if (doubt !== undefined) return false;
  return commands.every(
    ({ words, reads }) => reads !== undefined && standardName(words[0]?.value ?? "") !== undefined,
  );
}

const mostMentions = 5000;

/** Everything in a script that may be a path, also in the code that an interpreter is given. */
function pathsIn(script: string, places: Places, base: Base): PathSubject[] {
  const pieces = new Set(script.split(/[^\p{L}\p{M}\p{N}\p{Cf}._/~+-]+/u).filter((piece) => piece !== ""));
  return [...pieces].slice(0, mostMentions).map((piece) => toSubject(piece, base, places, false));
}
