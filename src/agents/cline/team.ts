import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import type { AgentEvents } from "./agent-events.js";
import type { Subagents } from "./subagents.js";

/**
 * `team_event` records of the in-process dialect: what teammates do, wrapped with the name of the teammate,
 * and the team's books. A task that a teammate works on is a subagent at work.
 */
export function createTeamEvents(parts: { subagents: Subagents; agentEvents: AgentEvents }) {
  return (record: JsonObject, out: Sink): void => {
    const event = asObject(record["event"]) ?? {};
    const type = asText(event["type"]) ?? "";
    const subagentId = asText(event["agentId"]);
    const author = parts.subagents.teammate(subagentId);
    const { parentCallId: callId } = author;
    if (type === "agent_event") {
      const inner = asObject(event["event"]) ?? {};
      if (inner["type"] === "usage")
        return out.consume("team_event/usage: told by the plain record before it");
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
    if (books.has(type)) out.consume("team_event: the team's books, which calls and tasks tell as well");
  };
}

const books: ReadonlySet<string> = new Set([
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
