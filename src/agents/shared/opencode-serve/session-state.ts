import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { Dialect } from "../opencode-stream/dialect.js";
import { createRequests, type Requests } from "./requests.js";
import { createServedSpeech, type ServedSpeech } from "./speech.js";
import { createThreads, type Thread, type Threads } from "./threads.js";
import { createToolCalls, type ToolCalls } from "./tool-calls.js";
import { createTurnState, type TurnState } from "./turn-state.js";

/** What the mapping knows about our session on the server. */
export interface SessionState {
  readonly threads: Threads;
  readonly turn: TurnState;
  readonly speech: ServedSpeech;
  readonly calls: ToolCalls;
  readonly requests: Requests;
  /** The ids of messages that are prompts. */
  readonly userMessages: Set<string>;
  /** The ids of parts that ended a step: a step counts once. */
  readonly endedSteps: Set<string>;
  directory: string | undefined;
  /** `session` was emitted. */
  isAnnounced: boolean;
  /** The server says that the running turn was aborted. */
  isAborted: boolean;
  /** An error was reported that the server may report once more, with its stack. */
  canRepeatError: boolean;
}

export function createSessionState(dialect: Dialect): SessionState {
  const threads = createThreads();
  const calls = createToolCalls(dialect, threads);
  return {
    threads,
    turn: createTurnState(),
    speech: createServedSpeech(),
    calls,
    requests: createRequests(dialect, calls),
    userMessages: new Set(),
    endedSteps: new Set(),
    directory: undefined,
    isAnnounced: false,
    isAborted: false,
    canRepeatError: false,
  };
}

/** Emits `session` if it was not yet, so that it comes before the first turn, and again if the model has changed. */
export function announce(state: SessionState, out: Sink, model?: string | undefined): void {
  if (state.isAnnounced && model === undefined) return;
  state.isAnnounced = true;
  out.session({ model, cwd: state.directory });
}

/** The session that prompts go to. */
export function useSession(state: SessionState, sessionId: string, out: Sink): void {
  state.threads.setMain(sessionId);
  out.identify(sessionId);
}

/** A session as the server describes it. */
export function described(state: SessionState, info: JsonObject): void {
  state.threads.described(info);
  if (info["id"] === state.threads.main?.id) state.directory = asText(info["directory"]) ?? state.directory;
}

/** True for records of the main session that come when its turn has ended. */
export function isLate({ isMain }: Thread, out: Sink): boolean {
  return isMain && out.live.turnId === undefined;
}
