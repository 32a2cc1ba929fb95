import type { Interruption, Say, Think, TurnUsage } from "./scenario.js";

/** One answer of the model, independent of the API. */
export interface Reply {
  readonly id: string;
  readonly model: string;
  readonly pieces: readonly ReplyPiece[];
  readonly stop: StopReason;
  readonly usage: Required<TurnUsage>;
}

export type StopReason = "end" | "calls" | "length" | "refusal";

export type ReplyPiece = ReplyText | ReplyCall | Interruption;

export type ReplyText = Say | Think;

export interface ReplyCall {
  readonly kind: "call";
  readonly id: string;
  readonly tool: string;
  /** Some agents group their tools in namespaces (Codex). */
  readonly namespace?: string;
  /** `freeform` input is plain text, not JSON. */
  readonly form: "json" | "freeform";
  /** The input as it is sent. It may be malformed on purpose. */
  readonly text: string;
}

/** One server-sent event, or an interruption of the connection between two events. */
export type Frame =
  | { readonly kind: "data"; readonly event?: string; readonly data: object | string }
  | Interruption;

/** A piece, and the interruptions of the connection before it is finished. */
export interface Stretch {
  readonly piece: ReplyText | ReplyCall;
  readonly interruptions: readonly Interruption[];
}

/** An interruption takes place inside the piece before it: a text is cut in the middle, not between two blocks. */
export function toStretches(pieces: readonly ReplyPiece[]): Stretch[] {
  const stretches: { piece: ReplyText | ReplyCall; interruptions: Interruption[] }[] = [];
  for (const piece of pieces) {
    if (isInterruption(piece)) stretches.at(-1)?.interruptions.push(piece);
    else stretches.push({ piece, interruptions: [] });
  }
  return stretches;
}

/** The input of a call in two parts, as models stream it. */
export function halves(text: string): [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

export function isInterruption(piece: ReplyPiece | Frame): piece is Interruption {
  return piece.kind === "pause" || piece.kind === "hang" || piece.kind === "cut";
}
