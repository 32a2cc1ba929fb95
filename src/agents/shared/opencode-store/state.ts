import { asNumber, asObject } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { OpenCall, Sink } from "../../contract.js";
import { createThreads, type Thread, type Threads } from "../opencode-serve/threads.js";
import { finishCall, type ReadCall } from "../opencode-stream/calls.js";
import type { Dialect } from "../opencode-stream/dialect.js";

/** What the mapping knows about a stored session. */
export interface StoreState {
  readonly dialect: Dialect;
  readonly threads: Threads;
  /** Messages whose text is a prompt, until it comes. */
  readonly prompts: Set<string>;
  readonly ofUser: Set<string>;
  /** Calls that started subagents, whose rows come after them. */
  readonly held: Map<string, { open: OpenCall; call: ReadCall }>;
  /** Errors of messages whose parts follow, by session. */
  readonly errors: Map<string, { thread: Thread; error: JsonObject }>;
  readonly session: { cwd?: string | undefined; model?: string | undefined };
  readonly clock: Clock;
  /** The last message of the model was aborted. */
  isAborted: boolean;
  /** The last message of the model has an end. */
  isComplete: boolean;
}

/** Moments in milliseconds: the beginning of the turn, the last thing that happened, and the latest prompt. */
interface Clock {
  startedAt: number | undefined;
  endedAt: number | undefined;
  promptedAt: number | undefined;
}

export function createStoreState(dialect: Dialect): StoreState {
  return {
    dialect,
    threads: createThreads(),
    prompts: new Set(),
    ofUser: new Set(),
    held: new Map(),
    errors: new Map(),
    session: {},
    clock: { startedAt: undefined, endedAt: undefined, promptedAt: undefined },
    isAborted: false,
    isComplete: false,
  };
}

/** Rows have their own times: a turn does not last until the next prompt. */
export function tick(clock: Clock, kind: string, data: JsonObject): void {
  const time = asObject(data["time"]) ?? {};
  if (kind === "message" && data["role"] === "user") {
    clock.promptedAt = asNumber(time["created"]);
    return;
  }
  const ofCall = asObject(asObject(data["state"])?.["time"]) ?? {};
  for (const value of [time["created"], time["completed"], time["end"], ofCall["end"]])
    clock.endedAt = Math.max(asNumber(value) ?? 0, clock.endedAt ?? 0);
}

export function beginTurn(state: StoreState, prompt: string | undefined, out: Sink): void {
  const { clock } = state;
  endTurn(state, out, { isLast: false });
  clock.startedAt = clock.endedAt = clock.promptedAt;
  out.live.beginTurn(prompt === undefined ? { origin: "agent" } : { prompt });
}

/** A turn that has no end was cut off. If it is the last one, the frame ends it together with the session. */
export function endTurn(state: StoreState, out: Sink, { isLast }: { isLast: boolean }): void {
  const { threads, errors, clock, isAborted, isComplete } = state;
  finishSubagents(state, out);
  if (out.live.turnId === undefined) return;
  for (const id of [...errors.keys()]) fail(state, id, out);
  threads.main?.parts.settle(out.run);
  const { run } = out;
  const isOver = run.failure !== undefined || (run.terminal !== undefined && isComplete);
  if (!isOver) run.terminal = undefined;
  const isInterrupted = isAborted || !isOver;
  if (isAborted || isOver || !isLast)
    out.live.endTurn({ durationMs: durationIn(clock), ...(isInterrupted && { isInterrupted }) });
  threads.reset();
  state.isAborted = state.isComplete = false;
}

/** The parts of a message with an error are over: the error was the last thing. */
export function fail({ errors }: StoreState, sessionId: string, out: Sink): void {
  const failed = errors.get(sessionId);
  errors.delete(sessionId);
  failed?.thread.parts.error({}, { error: failed.error }, out);
}

export function finishSubagents({ held, dialect }: StoreState, out: Sink): void {
  for (const { open, call } of held.values())
    finishCall(open, call, dialect, out, { hasStarted: () => true });
  held.clear();
}

function durationIn({ startedAt, endedAt }: Clock): number | undefined {
  if (startedAt === undefined || endedAt === undefined) return undefined;
  return Math.max(0, endedAt - startedAt);
}
