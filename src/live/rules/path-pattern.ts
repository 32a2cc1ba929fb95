import { hasWildcard, wildcards } from "../../shell/word-shape.js";
import { foldText } from "./fold-text.js";
import { longestText, overlaps, toGlob } from "./glob.js";

/** Where paths start, and how symbolic links are resolved. */
export interface Places {
  /** Absolute. Relative paths of rules and of the agent start here. */
  readonly cwd: string;
  readonly home: string;
  /** The path without symbolic links. The part that does not exist yet stays. Undefined: it cannot be known. */
  readonly realPath: (path: string) => string | undefined;
}

/** How certain it is that a rule is about something. */
export type Match = "yes" | "maybe" | "no";

/** A rule's pattern for paths. */
export interface PathPattern {
  /** Globs of real paths, for rules that allow. */
  readonly strict: readonly string[];
  /** Globs of folded paths, for rules that deny or ask. */
  readonly generous: readonly string[];
  /** It names files in any directory. */
  readonly isAnywhere: boolean;
}

/** A path that the agent names. */
export interface PathSubject {
  /** The real path. Absent if it cannot be known. */
  readonly strict?: string;
  /** Folded paths that it may be. */
  readonly generous: readonly string[];
}

/**
 * A pattern without `/` is a name in any directory: to deny, anywhere; to allow, below the working directory. What is in a
 * directory that the pattern names belongs to it; to allow, only if its last part has no wildcard.
 */
export function compilePath(pattern: string, { cwd, home, realPath }: Places): PathPattern {
  const text = (slashed(pattern, cwd) ?? pattern).replace(/\/$/, "/**").replace(/^(?:\.\/)+/, "");
  const isAnywhere = !text.includes("/") || text.startsWith("**/");
  const name = isAnywhere && !text.startsWith("**/") ? `**/${text}` : text;
  const parts = normalize(absolute(name, cwd, home));
  const firstWild = parts.findIndex((part) => /[*?]/.test(part));
  const fixed = `/${parts.slice(0, firstWild === -1 ? parts.length : firstWild).join("/")}`;
  const open = firstWild === -1 ? [] : parts.slice(firstWild);
  const real = realPath(rooted(fixed));
  const lexical = spellAll(splitParts(fixed), open);
  const resolved = real === undefined ? [] : spellAll(splitParts(slashed(real, real) ?? real), open);
  const named = isAnywhere ? spellAll([], splitParts(name)) : [];
  const isDirectory = !/[*?]/.test(parts.at(-1) ?? "");
  return {
    isAnywhere,
    strict: isDirectory ? withContents(resolved) : resolved,
    generous: withContents([...lexical, ...resolved, ...named].map(foldText)),
  };
}

/** `base` undefined: the directory that the path starts from is not known. */
export function toSubject(
  path: string,
  base: string | undefined,
  { home, realPath }: Places,
  isCertain = true,
): PathSubject {
  if (path.length > longestText || /^\/(?:proc|dev\/fd)(?:\/|$)/.test(path))
    return { generous: [wildcards.any] };
  const spelled = slashed(path, base ?? "/") ?? path;
  const full = absolute(spelled, base ?? wildcards.any, home);
  const lexical = joined(normalize(full));
  const isKnown = isCertain && base !== undefined && !hasWildcard(path);
  const real = isKnown ? realPath(rooted(full)) : undefined;
  const shown = real === undefined ? undefined : joined(splitParts(slashed(real, real) ?? real));
  const candidates = [lexical, ...(shown === undefined ? [] : [shown])].flatMap(spellings);
  return {
    generous: [...new Set(candidates.map(foldText))],
    ...(shown !== undefined && !hasWildcard(shown) && { strict: shown }),
  };
}

export function allowsPath(pattern: PathPattern, { strict }: PathSubject): boolean {
  return strict !== undefined && pattern.strict.some((glob) => overlaps(glob, strict));
}

/** `maybe`: only if the shell expands the path to one that the rule is about. */
export function namesPath(pattern: PathPattern, { generous }: PathSubject): Match {
  let match: Match = "no";
  for (const path of generous) {
    if (!pattern.generous.some((glob) => overlaps(glob, path))) continue;
    const likely = path.replaceAll(wildcards.any, "x");
    if (likely === path || pattern.generous.some((glob) => overlaps(glob, likely))) return "yes";
    match = "maybe";
  }
  return match;
}

/** True if the pattern may be about something in this directory. A pattern for any directory says nothing about this one. */
export function mayBeInside(
  { isAnywhere, generous: globs }: PathPattern,
  { generous }: PathSubject,
): boolean {
  if (isAnywhere) return false;
  return generous.some((path) => globs.some((glob) => overlaps(glob, `${path}/${wildcards.any}`)));
}

/** A Windows path with slashes. Undefined for every other path, where a backslash is an ordinary character. */
function slashed(path: string, base: string): string | undefined {
  const isWindows = /^[A-Za-z]:[\\/]|^\\\\/;
  return isWindows.test(path) || isWindows.test(base) ? path.replaceAll("\\", "/") : undefined;
}

function absolute(path: string, base: string, home: string): string {
  if (path === "~" || path.startsWith("~/")) return `${slashed(home, home) ?? home}/${path.slice(2)}`;
  if (path.startsWith("/") || /^[A-Za-z]:\//.test(path)) return path;
  return `${slashed(base, base) ?? base}/${path}`;
}

/** The path that the system gets. A drive of Windows has no slash before it. */
function rooted(path: string): string {
  return path.replace(/^\/(?=[A-Za-z]:)/, "");
}

function splitParts(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function joined(parts: readonly string[]): string {
  return `/${parts.join("/")}`;
}

function normalize(path: string): string[] {
  const kept: string[] = [];
  for (const part of splitParts(path)) {
    if (part === "..") kept.pop();
    else kept.push(part);
  }
  return kept;
}

/** The globs of a pattern: `**` is any number of directories, also none. */
function spellAll(fixed: readonly string[], open: readonly string[]): string[] {
  let globs = [fixed.length === 0 ? "" : joined(fixed)];
  for (const [index, part] of open.entries()) {
    const isLast = index === open.length - 1;
    if (part !== "**") globs = globs.map((glob) => `${glob}/${toGlob(part)}`);
    else if (open[index - 1] !== "**")
      globs = globs.flatMap((glob) => [isLast && glob === "" ? "/" : glob, `${glob}/${wildcards.any}`]);
  }
  return globs;
}

function withContents(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => [glob, `${glob === "/" ? "" : glob}/${wildcards.any}`]);
}

/** Other spellings that a file system may take for the same file: Windows cuts dots, spaces and streams (`name::$DATA`). */
function spellings(path: string): string[] {
  const cut = path.replace(/[. ]+(?=\/|$)/g, "").replace(/:[^/]*/g, "");
  return [path, cut, path.replaceAll("\\", "/")].filter((each) => each !== "");
}
