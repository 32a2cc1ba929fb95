import { asFlag, firstText } from "../../../text/fields.js";
import type { Sink } from "../../contract.js";
import type { FinishedCall, Subagent } from "./dialect.js";

/**
 * `task`: a subagent in a session of its own, whose records are not printed. In the background the call
 * returns at once, and nothing is printed about its end (1.18.33 and 7.7.9, behind an experimental switch).
 */
export function subagentOfTask({ input, metadata }: FinishedCall): Subagent[] {
  const id = firstText(metadata, ["sessionId", "sessionID", "session_id"]) ?? firstText(input, ["task_id"]);
  const name = firstText(input, ["subagent_type", "agent", "subagent", "name"]);
  if (id === undefined && name === undefined) return [];
  return [{ id, name, isInBackground: asFlag(metadata["background"]) === true }];
}

/** One event for each subagent, since one record reports its whole life. */
export function emitSubagents(subagents: readonly Subagent[], call: FinishedCall, out: Sink): void {
  const hasFailed = call.isSuccess === false;
  for (const { id, name, isInBackground } of subagents) {
    const action = hasFailed ? "subagent_failed" : isInBackground ? "subagent_started" : "subagent_completed";
    const isSuccess = action === "subagent_started" ? undefined : !hasFailed;
    out.emit({
      type: "orchestration",
      action,
      subagentId: id,
      subagentName: name,
      isSuccess,
      callId: call.callId,
    });
  }
}
