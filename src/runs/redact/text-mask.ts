import { charSetWithout } from "./char-set.js";
import { toMark } from "./mark.js";
import type { Rest } from "./matcher.js";
import { contextLength, createRunRest } from "./pattern.js";
import type { Scanner, Span } from "./scanner.js";

/** A piece of a text, and what it becomes. */
export interface MaskedPiece {
  masked: string;
  /** Nothing will be added to it any more. */
  isDone: boolean;
}

/**
 * Masks a text that comes in pieces. The pieces together become what the whole text would become: a secret that goes over
 * several of them is marked in the first and taken out of the others. A piece is done when no secret can begin in it
 * any more that goes beyond it.
 */
export interface TextMask {
  push(piece: string): MaskedPiece;
  /** All pieces must go now, although the text goes on: what could be a secret is taken for one, unless it is very short. */
  cut(): void;
  /** The text is complete. */
  end(): void;
}

/** No pattern needs to see more than this at once. */
const longestWait = 16 * 1024;
const wordOfAnyLength = charSetWithout("\\s");

interface Waiting {
  piece: MaskedPiece;
  to: number;
}

export function createTextMask(scanner: Scanner): TextMask {
  /** What is not decided yet, and some of what is before it. */
  let text = "";
  let decided = 0;
  /** So much of the text has gone out already, by a cut; `isMarked`: as the mark of a secret. */
  let released = 0;
  let isMarked = false;
  let rest: Rest | undefined;
  let waiting: Waiting[] = [];

  function put(from: number, to: number): void {
    let at = Math.max(from, released);
    for (const { piece, to: end } of waiting) {
      if (at >= to) return;
      if (end <= at) continue;
      piece.masked += text.slice(at, Math.min(end, to));
      at = Math.min(end, to);
    }
  }

  function mark({ from, to, kind }: Span): void {
    const isSeen = from < released;
    if ((isSeen && isMarked) || to <= released) return;
    const at = Math.max(from, released);
    const place = waiting.find((one) => one.to > at);
    if (place !== undefined) place.piece.masked += toMark(kind);
  }

  function write(spans: readonly Span[], upTo: number): void {
    let at = decided;
    for (const span of spans) {
      put(at, span.from);
      mark(span);
      at = span.to;
    }
    put(at, upTo);
  }

  function settle(): void {
    const gone = Math.max(decided, released);
    if (decided >= released) isMarked = false;
    const open = waiting.findIndex(({ to }) => to > gone);
    const done = open === -1 ? waiting.length : open;
    for (const { piece } of waiting.slice(0, done)) piece.isDone = true;
    const trimmed = Math.max(0, decided - contextLength);
    text = text.slice(trimmed);
    decided -= trimmed;
    released -= trimmed;
    waiting = waiting.slice(done).map(({ piece, to }) => ({ piece, to: to - trimmed }));
  }

  function advance(isLast: boolean): void {
    if (rest !== undefined) {
      const { to, isOver } = rest.follow(text, decided, isLast);
      decided = to;
      if (!isOver) return settle();
      rest = undefined;
    }
    const scan = scanner.scan(text, decided, isLast);
    write(scan.spans, scan.decided);
    decided = scan.decided;
    rest = scan.rest;
    settle();
  }

  function cut(): void {
    if (waiting.length === 0) return;
    if (rest === undefined) {
      const spans = scanner.scanCut(text, decided);
      write(spans, text.length);
      isMarked ||= spans.at(-1)?.to === text.length;
    } else isMarked = true;
    released = text.length;
    settle();
  }

  /** Too much to wait for: it is a secret, up to the next blank. */
  function giveUp(): void {
    cut();
    rest = isMarked ? createRunRest(wordOfAnyLength) : undefined;
    decided = text.length;
    settle();
  }

  return {
    push(added) {
      const piece: MaskedPiece = { masked: "", isDone: false };
      text += added;
      waiting.push({ piece, to: text.length });
      advance(false);
      if (text.length - decided > longestWait) giveUp();
      return piece;
    },
    cut,
    end: () => advance(true),
  };
}
