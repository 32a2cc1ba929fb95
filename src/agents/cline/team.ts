import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import type { AgentEvents } from "./agent-events.js";
import type { PlainEvents } from "./plain-events.js";
import type { Subagents } from "./subagents.js";
import type { Workers } from "./workers.js";

/**
 * `team_event` records of the in-process dialect: the events of teammates, with the name of the teammate, and the
 * bookkeeping of the team. A teammate at work on a task is reported as a subagent.
 */
export function createTeamEvents(parts: {
  subagents: Subagents;
  workers: Workers;
  plain: PlainEvents;
  agentEvents: AgentEvents;
}) {
  return (record: JsonObject, out: Sink): void => {
    const event = asObject(record["event"]) ?? {};
    const type = asText(event["type"]) ?? "";
    const subagentId = asText(event["agentId"]);
    const author = parts.subagents.teammate(subagentId);
    const { parentCallId: callId } = author;
    if (type === "agent_event") {
      const inner = asObject(event["event"]) ?? {};
      if (inner["type"] === "usage") {
        parts.plain.repeated(inner, author, out);
        return out.consume("team_event/usage: repeats the plain record before it");
      }
      const innerCall = asText(inner["toolCallId"]) ?? "";
      if (inner["type"] === "content_start" && innerCall !== "")
        parts.workers.teammateCalled(innerCall, author);
      else if (inner["type"] === "content_end") parts.workers.callEnded(innerCall);
      return parts.agentEvents(inner, { author, native: record }, out);
    }
    if (type === "task_start") {
      return out.emit({ type: "orchestration", action: "subagent_started", subagentId, callId });
    }
    if (type === "task_end") {
      const isSuccess = (asText(event["status"]) ?? "completed") === "completed" && !event["error"];
      const action = isSuccess ? "subagent_completed" : "subagent_failed";
      return out.emit({ type: "orchestration", action, subagentId, isSuccess, callId });
    }
    if (bookkeeping.has(type)) out.consume("team_event: bookkeeping that calls and tasks report as well");
  };
}

const bookkeeping: ReadonlySet<string> = new Set([
  "teammate_spawned",
  "teammate_shutdown",
  "team_task_updated",
  "team_task_completed",
  "team_message",
  "team_mission_log",
  "run_queued",
  "run_started",
  "run_progress",
  "run_completed",
  "run_failed",
  "run_cancelled",
  "run_interrupted",
  "outcome_created",
  "outcome_fragment_attached",
  "outcome_fragment_reviewed",
  "outcome_finalized",
]);
