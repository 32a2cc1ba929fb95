import { type CharSet, endOfRun, wordCharacters } from "./char-set.js";
import type { Finding, Matcher, Rest } from "./matcher.js";

/**
 * A part of a pattern. What follows a run is never in the run's set. So there is only one way to read a text, and no
 * backtracking.
 */
export type PatternStep =
  | { text: string }
  /** In upper or lower case. */
  | { words: readonly string[] }
  | { run: CharSet; min: number; max?: number }
  /** Must follow, but is not part of the match. */
  | { before: string }
  /** Must not follow. */
  | { notBefore: CharSet };

export interface Pattern {
  /** The name of the kind of secret, shown in the mark. */
  kind: string;
  anchors: readonly string[];
  ignoresCase?: boolean;
  /** True: it may follow a letter or a digit. */
  isGlued?: boolean;
  /** Characters that it must not follow. */
  notAfter?: CharSet;
  /** The parts, beginning with the anchor. */
  steps: readonly PatternStep[];
  /** The first step that is masked. The steps before it stay visible. Default 0. */
  maskedFrom?: number;
  /** A further condition on the masked part, of which it gets the first 256 characters. */
  isTelling?: (value: string) => boolean;
}

const longestLook = 256;

/** The run that was visited last. A match that starts within it has the same end. */
interface Memo {
  from: number;
  to: number;
}

export function createPatternMatcher(pattern: Pattern): Matcher {
  const { kind, anchors, steps, maskedFrom = 0, isTelling } = pattern;
  const memos: Memo[] = steps.map(() => ({ from: 0, to: 0 }));

  function runEnd(text: string, at: number, set: CharSet, index: number): number {
    const memo = memos[index];
    if (memo !== undefined && memo.from <= at && at < memo.to) return memo.to;
    const to = endOfRun(text, at, set);
    if (memo !== undefined) Object.assign(memo, { from: at, to });
    return to;
  }

  function match(text: string, start: number, isLast: boolean): Finding {
    let at = start;
    // The steps before `maskedFrom` are not secret: until they end, nothing would be masked.
    let from = maskedFrom === 0 ? start : text.length;
    let rest: Rest | undefined;
    for (let index = 0; index < steps.length; index += 1) {
      if (index === maskedFrom) from = at;
      const step = steps[index];
      if (step === undefined) continue;
      const found = take(text, at, step, index, isLast);
      if (found === "cut") return isLast ? undefined : { isSure: false, from };
      if (found === undefined) return undefined;
      at = found;
      if ("run" in step && at === text.length && !isLast) rest = createRunRest(step.run);
    }
    if (isTelling !== undefined && !isTelling(text.slice(from, Math.min(at, from + longestLook)))) {
      return rest !== undefined && at - from < longestLook ? { isSure: false, from } : undefined;
    }
    return { isSure: true, from, to: at, kind, ...(rest !== undefined && { rest }) };
  }

  /** Where the step ends. `cut`: the text ends before that is known. */
  function take(
    text: string,
    at: number,
    step: PatternStep,
    index: number,
    isLast: boolean,
  ): number | "cut" | undefined {
    if ("run" in step) {
      const { run, min, max = Number.POSITIVE_INFINITY } = step;
      const end = runEnd(text, at, run, index);
      const isOpen = end === text.length && !isLast;
      if (end - at > max) return undefined;
      if (isOpen && (max !== Number.POSITIVE_INFINITY || end - at < min)) return "cut";
      return end - at < min ? undefined : end;
    }
    if ("notBefore" in step) {
      if (at === text.length) return isLast ? at : "cut";
      return step.notBefore.has(text.charCodeAt(at)) ? undefined : at;
    }
    const found = literalAt(text, at, step);
    return typeof found === "number" ? at + ("before" in step ? 0 : found) : found;
  }

  return {
    anchors,
    ignoresCase: pattern.ignoresCase ?? false,
    isAnchorKept: maskedFrom > 0,
    canBegin: (text, at) => canBegin(text, at, pattern),
    match,
    reset() {
      for (const memo of memos) Object.assign(memo, { from: 0, to: 0 });
    },
  };
}

/** The length of the literal at this position. `cut`: the text ends within it. */
function literalAt(
  text: string,
  at: number,
  step: { text: string } | { words: readonly string[] } | { before: string },
): number | "cut" | undefined {
  if ("words" in step) {
    let isCut = false;
    for (const word of step.words) {
      const there = text.slice(at, at + word.length).toLowerCase();
      if (there === word) return word.length;
      if (at + there.length === text.length && word.startsWith(there)) isCut = true;
    }
    return isCut ? "cut" : undefined;
  }
  const wanted = "text" in step ? step.text : step.before;
  if (text.startsWith(wanted, at)) return wanted.length;
  const isCut = text.length - at < wanted.length && wanted.startsWith(text.slice(at));
  return isCut ? "cut" : undefined;
}

export function createRunRest(set: CharSet): Rest {
  return {
    follow(text, at, isLast) {
      const to = endOfRun(text, at, set);
      return { to, isOver: isLast || to < text.length };
    },
  };
}

function canBegin(text: string, at: number, { isGlued, notAfter }: Pattern): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  const isOpen = (isGlued || !wordCharacters.has(before)) && !(notAfter?.has(before) ?? false);
  return isOpen || isAfterEscape(text, at);
}

/** True behind an escape that ends in a letter or a digit: of JSON (`\n`, `\u001b`), a URL (`%20`) or a terminal colour (`[31m`). */
export function isAfterEscape(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (text.charAt(at - 2) === "\\") return "nrtbf".includes(before);
  if (text.charAt(at - 3) === "%") return /^%[0-9A-Fa-f]{2}$/.test(text.slice(at - 3, at));
  if (text.charAt(at - 6) === "\\") return /^\\u[0-9A-Fa-f]{4}$/.test(text.slice(at - 6, at));
  return before === "m" && /\[[0-9;]{0,12}m$/.test(text.slice(Math.max(0, at - longestEscape), at));
}

/** At most this many characters before a position influence what is found there. */
export const contextLength = 64;

const longestEscape = 16;
