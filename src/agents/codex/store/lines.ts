import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";

/** A line: what kind it is, and its content. */
export interface Line {
  type: string;
  payload: JsonObject;
}

/** Lines of versions before September 2025 have no envelope: the first one is about the session, the others are items of the conversation. */
export function readLine(record: JsonObject): Line {
  const type = asText(record["type"]);
  const payload = asObject(record["payload"]);
  if (type !== undefined && payload !== undefined) return { type, payload };
  if (type === undefined && asText(record["id"]) !== undefined)
    return { type: "session_meta", payload: record };
  if (type !== undefined && bareItems.has(type)) return { type: "response_item", payload: record };
  return { type: type ?? "", payload: record };
}

const bareItems: ReadonlySet<string> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "local_shell_call",
]);

/** Lines that are not part of the conversation, and what they are for. A line that is not listed becomes `unknown`. */
export const quietLines: ReadonlyMap<string, string> = new Map([
  ["world_state", "the settings that the model sees"],
  ["compacted", "the conversation was summarised"],
  ["event_msg/thread_settings_applied", "settings of the session"],
  ["event_msg/thread_name_updated", "for the list of sessions"],
  ["event_msg/context_compacted", "the conversation was summarised"],
  ["event_msg/turn_started", "a turn"],
  ["event_msg/entered_review_mode", "a setting of the session"],
  ["event_msg/exited_review_mode", "a setting of the session"],
  ["event_msg/agent_reasoning_section_break", "between two parts of the reasoning"],
  ["event_msg/thread_rolled_back", "turns were taken back"],
  ["response_item/ghost_snapshot", "a copy of the files, to undo changes"],
  ["response_item/compaction", "the conversation was summarised"],
  ["response_item/compaction_summary", "the conversation was summarised"],
  ["response_item/context_compaction", "the conversation was summarised"],
  ["item/ContextCompaction", "the conversation was summarised"],
  ["item/EnteredReviewMode", "a setting of the session"],
  ["item/ExitedReviewMode", "a setting of the session"],
]);
