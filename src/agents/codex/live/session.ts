import { asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { createHeldErrors } from "../held-errors.js";
import { createItems } from "../items.js";
import { errorIn } from "./failure.js";
import { createRequests } from "./requests.js";
import { createCodexSpeech } from "./speech.js";
import { createCodexThreads, type Speaker } from "./threads.js";
import { createCodexTurns } from "./turns.js";

/** A notification of the session's thread or of a subagent. */
export interface Notice {
  params: JsonObject;
  record: JsonObject;
  speaker: Exclude<Speaker, "other">;
}

/** What the handlers of one session share. */
export type Session = ReturnType<typeof createSession>;

export function createSession() {
  return {
    items: createItems(),
    errors: createHeldErrors(),
    threads: createCodexThreads(),
    turns: createCodexTurns(),
    speech: createCodexSpeech(),
    requests: createRequests(),
  };
}

/** A thread is there: in the answer to the request that opened it, or in `thread/started`. */
export function announce(opened: JsonObject, { threads }: Session, out: Sink): void {
  const thread = asObject(opened["thread"]);
  const threadId = asText(thread?.["id"]);
  if (thread === undefined || threadId === undefined || asText(thread["parentThreadId"]) !== undefined)
    return;
  threads.opened(threadId);
  if (threadId !== threads.current) return;
  out.run.agentVersion = asText(thread["cliVersion"]) ?? out.run.agentVersion;
  out.identify(threadId);
  out.session({
    model: asText(opened["model"]) ?? asText(thread["model"]),
    cwd: asText(opened["cwd"]) ?? asText(thread["cwd"]),
  });
}

/** A turn of the session's thread has ended, as `turn/completed` or a refused prompt says. */
export function endTurn(
  { errors, speech, turns }: Session,
  turn: JsonObject,
  speaker: Notice["speaker"],
  out: Sink,
): void {
  const status = asText(turn["status"]);
  const error = errorIn(turn["error"]);
  const durationMs = asNumber(turn["durationMs"]);
  speech.cut(speaker, out);
  turns.ended();
  out.run.terminalLine = out.lineNumber;
  if (status === "interrupted") {
    errors.overcome(out);
    return out.live.endTurn({ isInterrupted: true, durationMs });
  }
  if (status === "completed") {
    out.run.terminal = "success";
    out.run.failure = undefined;
    errors.overcome(out);
    return out.live.endTurn({ durationMs });
  }
  out.run.terminal = "failure";
  errors.failed(
    error?.message,
    status === undefined ? "the turn failed" : `the turn ended as ${status}`,
    out,
  );
  if (out.run.failure !== undefined) {
    out.run.failure.code ??= error?.code;
    out.run.failure.kind = error?.kind;
    out.run.failure.status = error?.status;
  }
  out.live.endTurn({ durationMs });
}
