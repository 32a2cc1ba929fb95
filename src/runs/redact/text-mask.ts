import { charSetWithout } from "./char-set.js";
import { toRedactionMark } from "./mark.js";
import type { Rest } from "./matcher.js";
import { contextLength, createRunRest } from "./pattern.js";
import type { Scanner, Span } from "./scanner.js";

/** A piece of a text, and what it becomes. */
export interface MaskedPiece {
  masked: string;
  /** True: nothing will be added any more. */
  isDone: boolean;
}

/**
 * Masks a text that comes in pieces. Together the pieces become what the whole text would become: a secret that spans several
 * pieces is marked in the first one and removed from the others. A piece is done when no secret that goes beyond it can begin
 * in it.
 */
export interface TextMask {
  push(piece: string): MaskedPiece;
  /** Releases all pieces now, although the text goes on. Whatever could be a secret is masked, unless it is very short. */
  cut(): void;
  /** The text is complete. */
  end(): void;
}

/** No pattern needs more text than this at once. */
const longestWait = 16 * 1024;
const wordOfAnyLength = charSetWithout("\\s");

interface MaskState {
  /** The undecided end of the text, and some context before it. */
  text: string;
  /** Everything before this position is decided. */
  decided: number;
  /** Everything before this position was released by a cut. */
  released: number;
  /** The end of what was released was masked as a secret. */
  isMarked: boolean;
  /** Follows a secret that has no end yet. */
  rest: Rest | undefined;
  /** The pieces that are not done, and where each ends in `text`. */
  waiting: { piece: MaskedPiece; to: number }[];
}

export function createTextMask(scanner: Scanner): TextMask {
  const state: MaskState = {
    text: "",
    decided: 0,
    released: 0,
    isMarked: false,
    rest: undefined,
    waiting: [],
  };

  function advance(isLast: boolean): void {
    const { text, rest } = state;
    if (rest !== undefined) {
      const { to, isOver } = rest.follow(text, state.decided, isLast);
      state.decided = to;
      if (!isOver) return settle(state);
    }
    const scan = scanner.scan(text, state.decided, isLast);
    write(state, scan.spans, scan.decided);
    state.decided = scan.decided;
    state.rest = scan.rest;
    settle(state);
  }

  function cut(): void {
    const { text } = state;
    if (state.waiting.length === 0) return;
    if (state.rest === undefined) {
      const spans = scanner.scanCut(text, state.decided);
      write(state, spans, text.length);
      state.isMarked ||= spans.at(-1)?.to === text.length;
    } else state.isMarked = true;
    state.released = text.length;
    settle(state);
  }

  /** The undecided text is too long to wait for: it is masked as a secret, up to the next blank. */
  function giveUp(): void {
    cut();
    state.rest = state.isMarked ? createRunRest(wordOfAnyLength) : undefined;
    state.decided = state.text.length;
    settle(state);
  }

  return {
    push(added) {
      const piece: MaskedPiece = { masked: "", isDone: false };
      state.text += added;
      state.waiting.push({ piece, to: state.text.length });
      advance(false);
      if (state.text.length - state.decided > longestWait) giveUp();
      return piece;
    },
    cut,
    end: () => advance(true),
  };
}

/** Writes the decided text to its pieces, with marks in place of the secrets. */
function write(state: MaskState, spans: readonly Span[], upTo: number): void {
  let at = state.decided;
  for (const span of spans) {
    copy(state, at, span.from);
    mark(state, span);
    at = span.to;
  }
  copy(state, at, upTo);
}

function copy({ text, released, waiting }: MaskState, from: number, to: number): void {
  let at = Math.max(from, released);
  for (const { piece, to: end } of waiting) {
    if (at >= to) return;
    if (end <= at) continue;
    piece.masked += text.slice(at, Math.min(end, to));
    at = Math.min(end, to);
  }
}

function mark({ released, isMarked, waiting }: MaskState, { from, to, kind }: Span): void {
  const isSeen = from < released;
  if ((isSeen && isMarked) || to <= released) return;
  const at = Math.max(from, released);
  const place = waiting.find((one) => one.to > at);
  if (place !== undefined) place.piece.masked += toRedactionMark(kind);
}

/** Completes the pieces that are decided, and drops the text that is no longer needed. */
function settle(state: MaskState): void {
  const { decided, released, waiting } = state;
  const gone = Math.max(decided, released);
  if (decided >= released) state.isMarked = false;
  const open = waiting.findIndex(({ to }) => to > gone);
  const done = open === -1 ? waiting.length : open;
  for (const { piece } of waiting.slice(0, done)) piece.isDone = true;
  const trimmed = Math.max(0, decided - contextLength);
  state.text = state.text.slice(trimmed);
  state.decided -= trimmed;
  state.released -= trimmed;
  state.waiting = waiting.slice(done).map(({ piece, to }) => ({ piece, to: to - trimmed }));
}
