import type { Finding, Matcher, Rest } from "./matcher.js";

/** A part of a text that is a secret. */
export interface Span {
  from: number;
  to: number;
  kind: string;
}

export interface Scan {
  spans: Span[];
  /** Everything before this position is decided. With `isLast` it is the length of the text. */
  decided: number;
  /** Where masking would begin if the undecided part is a secret. */
  pending?: number;
  /** Follows the secret that reaches the end of the text. */
  rest?: Rest;
}

export interface Scanner {
  /** Scans a text from `from` on. `isLast`: no more of it will come. */
  scan(text: string, from: number, isLast: boolean): Scan;
  /** Scans a text that may have been cut. What could be the beginning of a secret at its end counts as one. */
  scanCut(text: string, from: number): Span[];
}

/** At most this many characters of a cut secret may stay visible. */
const longestLeak = 7;

/** Width of the table of the first two characters: ASCII, and one slot for all others. */
const width = 129;

type Sure = Extract<Finding, { isSure: true }>;

interface Anchor {
  matcher: Matcher;
  /** The code of each character, and of its other case. */
  codes: readonly number[];
  others: readonly number[];
}

/** Finds the secrets of a text from left to right, in one pass. Where several matchers apply, the first one wins. */
export function createScanner(matchers: readonly Matcher[]): Scanner {
  const byPair: (Anchor[] | undefined)[] = new Array(width * width).fill(undefined);
  const byFirst: (Anchor[] | undefined)[] = new Array(width).fill(undefined);

  /** Matchers that remember something about the current text. */
  const asked = new Set<Matcher>();

  for (const matcher of matchers) {
    for (const text of new Set(matcher.anchors)) {
      const anchor = toAnchor(text, matcher);
      const [first = [], second = []] = [0, 1].map((index) => slotsOf(anchor, index));
      for (const slot of first) add(byFirst, slot, anchor);
      for (const slot of first) for (const next of second) add(byPair, slot * width + next, anchor);
    }
  }

  function findingAt(text: string, at: number, isLast: boolean): Finding {
    const first = slotOf(text.charCodeAt(at));
    const isAlone = at + 1 === text.length;
    const anchors = isAlone ? byFirst[first] : byPair[first * width + slotOf(text.charCodeAt(at + 1))];
    if (anchors === undefined || (isAlone && isLast)) return undefined;
    let pending: Finding;
    for (const anchor of anchors) {
      const finding = tryAnchor(anchor, text, at, isLast);
      if (anchor.matcher.reset !== undefined) asked.add(anchor.matcher);
      if (finding?.isSure) return pending ?? finding;
      pending ??= finding;
    }
    return pending;
  }

  function scan(text: string, from: number, isLast: boolean): Scan {
    for (const matcher of asked) matcher.reset?.();
    asked.clear();
    const spans: Span[] = [];
    /** A secret whose visible beginning (`Bearer `) is still scanned for other secrets. */
    let ahead: { at: number; before: number; finding: Sure } | undefined;
    let at = from;
    while (at < text.length) {
      if (ahead !== undefined && at >= ahead.finding.from) {
        const { finding } = ahead;
        ahead = undefined;
        if (at >= finding.to) continue;
        spans.push({ from: Math.max(finding.from, at), to: finding.to, kind: finding.kind });
        at = finding.to;
        if (finding.rest !== undefined) return { spans, decided: at, rest: finding.rest };
        continue;
      }
      const finding = findingAt(text, at, isLast);
      if (finding === undefined) at += 1;
      else if (!finding.isSure) {
        if (ahead === undefined) return { spans, decided: at, pending: finding.from };
        spans.length = ahead.before;
        return { spans, decided: ahead.at, pending: Math.min(finding.from, ahead.finding.from) };
      } else if (ahead === undefined && finding.from > at) {
        ahead = { at, before: spans.length, finding };
        at += 1;
      } else if (ahead !== undefined && finding.from >= ahead.finding.from) at += 1;
      else {
        spans.push({ from: finding.from, to: finding.to, kind: finding.kind });
        // A secret is never empty, but a faulty matcher must not stop the scan.
        at = Math.max(finding.to, at + 1);
        if (finding.rest !== undefined) return { spans, decided: at, rest: finding.rest };
      }
    }
    return { spans, decided: text.length };
  }

  function scanCut(text: string, from: number): Span[] {
    const { spans, decided, pending } = scan(text, from, false);
    if (pending === undefined) return spans;
    const kept = scan(text.slice(0, pending), decided, true).spans;
    const isLong = text.length - pending > longestLeak;
    const tail = isLong ? [{ from: pending, to: text.length, kind: "secret" }] : [];
    return [...spans, ...kept, ...tail];
  }

  return { scan, scanCut };
}

function add(table: (Anchor[] | undefined)[], slot: number, anchor: Anchor): void {
  const anchors = table[slot];
  if (anchors === undefined) table[slot] = [anchor];
  else anchors.push(anchor);
}

function toAnchor(text: string, matcher: Matcher): Anchor {
  const { ignoresCase } = matcher;
  const codesOf = (spelled: string): number[] => Array.from(spelled, (_, index) => spelled.charCodeAt(index));
  const isSameLength = text.toUpperCase().length === text.length && text.toLowerCase().length === text.length;
  const isFolded = ignoresCase && isSameLength;
  return {
    matcher,
    codes: codesOf(isFolded ? text.toLowerCase() : text),
    others: codesOf(isFolded ? text.toUpperCase() : text),
  };
}

function slotsOf({ codes, others }: Anchor, index: number): Set<number> {
  return new Set([codes[index], others[index]].flatMap((code) => (code === undefined ? [] : slotOf(code))));
}

function slotOf(code: number): number {
  return code < width - 1 ? code : width - 1;
}

/** Calls the matcher if its anchor is at this position. If the text ends within the anchor, more text is needed. */
function tryAnchor({ matcher, codes, others }: Anchor, text: string, at: number, isLast: boolean): Finding {
  const length = Math.min(codes.length, text.length - at);
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(at + index);
    if (code !== codes[index] && code !== others[index]) return undefined;
  }
  if (matcher.canBegin !== undefined && !matcher.canBegin(text, at)) return undefined;
  if (length === codes.length) return matcher.match(text, at, isLast);
  return isLast ? undefined : { isSure: false, from: matcher.isAnchorKept ? text.length : at };
}
