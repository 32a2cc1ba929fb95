import type { Action } from "./actions.js";

/**
 * What the model does, turn by turn. A turn answers one request of the conversation. The next turn is derived from the
 * request itself, so retries, resumed sessions and parallel conversations all work.
 */
export interface Scenario {
  readonly turns: readonly Entry[];
  /** The scripts of subagents. A conversation that opens with such a prompt plays its turns. */
  readonly subagents?: readonly SubagentScript[];
  /** The tokens of turns without their own usage. */
  readonly usage?: TurnUsage;
  /** The answer to requests outside the conversation, such as one for a title. */
  readonly sideAnswer?: string;
}

/** What the model does in a subagent. */
export interface SubagentScript {
  /** The prompt that the subagent was started with, or a part of it. */
  readonly prompt: string;
  readonly turns: readonly Entry[];
}

/** A turn (with options, or only its pieces), or a fault before the next turn. */
export type Entry = Turn | readonly Piece[] | Fault;

/** One answer of the model. */
export interface Turn {
  readonly kind: "turn";
  readonly pieces: readonly Piece[];
  readonly usage?: TurnUsage;
  /** Why the model stopped. By default it has finished, or waits for the results of its calls. */
  readonly stop?: "length" | "refusal";
}

/**
 * The token counts of one turn. `input` excludes tokens read from or written to a cache. `output` is everything that was
 * generated; `reasoning` is a part of it. Each API gets them in its own fields.
 */
export interface TurnUsage {
  readonly input?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly output?: number;
  readonly reasoning?: number;
}

/** A part of an answer: text, thinking, a call, or an interruption. */
export type Piece = Say | Think | Call | Interruption;

/** A piece of text, as it is streamed. */
export interface Say {
  readonly kind: "say";
  readonly deltas: readonly string[];
}

/** A piece of thinking, as it is streamed. */
export interface Think {
  readonly kind: "think";
  readonly deltas: readonly string[];
}

/** A call of a tool. */
export interface Call {
  readonly kind: "call";
  readonly action: Action;
  /** Sent in place of the JSON arguments. */
  readonly malformed?: Malformed;
}

/** `truncated`: the arguments end in the middle. `text`: sent as it is. */
export type Malformed = { readonly truncated: true } | { readonly text: string };

/** An interruption of the connection at this place in the answer. */
export type Interruption =
  | { readonly kind: "pause"; readonly ms: number }
  | { readonly kind: "hang" }
  | { readonly kind: "cut" };

/** Answers `times` requests in place of the next turn. */
export type Fault = HttpFault | CutFault;

/** An HTTP error in place of an answer. */
export interface HttpFault {
  readonly kind: "httpError";
  readonly status: number;
  /** A message becomes an error in the format of the API. An object is sent as it is. */
  readonly body?: string | object;
  readonly retryAfterSeconds?: number;
  readonly times: number;
}

/** A connection that is closed in the middle of an answer. */
export interface CutFault {
  readonly kind: "cutConnection";
  readonly pieces: readonly Piece[];
  readonly times: number;
}

/** A turn with token counts or a reason to stop. Several calls in one turn run in parallel. */
export function turn(
  pieces: readonly Piece[],
  options: { usage?: TurnUsage; stop?: "length" | "refusal" } = {},
): Turn {
  return { kind: "turn", pieces, ...options };
}

/** Answer text, streamed in a few pieces. */
export function say(text: string, options: { pieces?: number } = {}): Say {
  return { kind: "say", deltas: split(text, options.pieces ?? 3) };
}

/** Thinking, streamed in a few pieces. */
export function think(text: string, options: { pieces?: number } = {}): Think {
  return { kind: "think", deltas: split(text, options.pieces ?? 3) };
}

/** A call of the agent's own tool for this action. */
export function call(action: Action): Call {
  return { kind: "call", action };
}

/** A call whose arguments are not valid JSON: cut in the middle, or exactly `text`. */
export function malformedCall(action: Action, text?: string): Call {
  return { kind: "call", action, malformed: text === undefined ? { truncated: true } : { text } };
}

/** Pauses here. As the first piece it delays the whole answer. */
export function slow(ms: number): Interruption {
  return { kind: "pause", ms };
}

/** Sends nothing more and keeps the connection open. */
export function hang(): Interruption {
  return { kind: "hang" };
}

/** The model declines to answer. */
export function refusal(text = "I cannot help with that."): Turn {
  return turn([say(text)], { stop: "refusal" });
}

/** Answers every request from here on, or only `times` requests. */
export function httpError(
  status: number,
  body?: string | object,
  times = Number.POSITIVE_INFINITY,
): HttpFault {
  return { kind: "httpError", status, ...(body === undefined ? {} : { body }), times };
}

/** Answers with status 429 and the seconds to wait, `times` times. */
export function rateLimited(retryAfterSeconds: number, times = 1): HttpFault {
  const body = `Rate limit reached. Please try again in ${retryAfterSeconds}s.`;
  return { kind: "httpError", status: 429, body, retryAfterSeconds, times };
}

/** Sends these pieces and then closes the connection in the middle of the answer. */
export function cutConnection(pieces: readonly Piece[] = [], times = 1): CutFault {
  return { kind: "cutConnection", pieces, times };
}

/** Splits evenly, never in the middle of a character. */
function split(text: string, pieces: number): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / Math.max(1, pieces)));
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += size) parts.push(characters.slice(at, at + size).join(""));
  return parts;
}
