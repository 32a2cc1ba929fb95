import { asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { readError } from "../opencode-stream/error-record.js";
import { announce, isLate, type SessionState } from "./session-state.js";
import type { Thread } from "./threads.js";
import { endTurn } from "./turns.js";

const aborted = "MessageAbortedError";
const stackLine = /\n\s+at /;

/** An error of a session or of one of its messages. The server reports most errors both ways. */
export function failed(state: SessionState, thread: Thread, error: JsonValue, out: Sink): void {
  const failure = readError({ error });
  if (failure?.code === aborted) {
    if (thread.isMain) state.isAborted = true;
    return out.consume("error: the turn was interrupted");
  }
  const { message = "an error without words", code } = failure ?? {};
  const key = `${code} ${message}`;
  if (thread.errors.has(key)) return out.consume("error: reported again");
  if (state.canRepeatError && stackLine.test(message)) {
    state.canRepeatError = false;
    return out.consume("error: reported again, with its stack");
  }
  if (isLate(thread, out)) return out.emit({ type: "warning", message, code });
  thread.errors.add(key);
  state.canRepeatError = true;
  announce(state, out);
  thread.parts.error({}, { error }, out);
  // A prompt for an agent that does not exist is not taken into the conversation, and nothing follows (1.18.33, 7.7.9).
  if (thread.isMain && !state.turn.hasBegun) endTurn(state, out);
}

/** An error that belongs to no session. */
export function serverFailed({ error }: JsonObject, out: Sink): void {
  const { message, code } = readError({ error: error ?? null }) ?? {};
  out.emit({ type: "warning", message: message ?? asText(error) ?? "the server reported an error", code });
}
