import type { EventOf } from "../../../events/event.js";
import { asFlag, firstText } from "../../../text/fields.js";
import type { Sink } from "../../contract.js";
import type { FinishedCall, Subagent, SubagentTools } from "./dialect.js";

/**
 * A subagent has its own session, whose records are not printed. In the background its call returns at once, and nothing is
 * printed about its end (1.18.33 and 7.7.9, behind an experimental switch). In OpenCode 2 only the message of a failed one names
 * the session.
 */
function subagentOf({ input, metadata, error, isInBackground }: FinishedCall): Subagent[] {
  const id =
    firstText(metadata, sessionKeys) ??
    firstText(input, ["task_id", ...sessionKeys]) ??
    failedSession.exec(error ?? "")?.[1];
  const name = firstText(input, ["subagent_type", "agent", "subagent", "name"]);
  if (id === undefined && name === undefined) return [];
  return [{ id, name, isInBackground: isInBackground || asFlag(metadata["background"]) === true }];
}

const sessionKeys = ["sessionId", "sessionID", "session_id"];
const failedSession = /^Subagent \w+ \(sessionID: ([^)\s]+)\)/;

/** `task` of OpenCode 1 and Kilo, `subagent` of OpenCode 2. */
export const opencodeSubagentTools: SubagentTools = { task: subagentOf, subagent: subagentOf };

/** The subagents that a call started, as far as its record says. */
export function subagentsOf(call: FinishedCall, tools: SubagentTools): Subagent[] {
  return (Object.hasOwn(tools, call.name) ? tools[call.name]?.(call) : undefined) ?? [];
}

/** The subagents whose start was reported while their call was running. */
export interface Subagents {
  hasStarted(subagentId: string | undefined): boolean;
}

/** One event for each subagent, since one record reports its whole life. If no outcome is reported, it has only started. */
export function emitSubagents(
  subagents: readonly Subagent[],
  call: FinishedCall & { parentCallId?: string | undefined },
  out: Sink,
  known?: Subagents,
): void {
  for (const { id, name, isInBackground } of subagents) {
    const isSuccess = isInBackground && call.isSuccess ? undefined : call.isSuccess;
    if (isSuccess === undefined && known?.hasStarted(id)) continue;
    out.emit({
      type: "orchestration",
      action: actionOf(isSuccess),
      subagentId: id,
      subagentName: name,
      isSuccess,
      callId: call.callId,
      parentCallId: call.parentCallId,
    });
  }
}

function actionOf(isSuccess: boolean | undefined): EventOf<"orchestration">["action"] {
  if (isSuccess === undefined) return "subagent_started";
  return isSuccess ? "subagent_completed" : "subagent_failed";
}
