import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";

type Ending = "subagent_completed" | "subagent_failed";

/** States that an agent does not leave by itself. `not_found` is one that is gone, if it ever was there. */
const endings: ReadonlyMap<string, Ending> = new Map([
  ["completed", "subagent_completed"],
  ["errored", "subagent_failed"],
  ["interrupted", "subagent_failed"],
  ["shutdown", "subagent_failed"],
  ["not_found", "subagent_failed"],
]);

/**
 * `collab_tool_call`: a spawn starts an agent (its id is the receiver thread); any later call whose
 * states show an agent at its end ends it, once. Closing shows the state before: an agent that was still
 * at work is stopped by it. An id that the model made up is not an agent. Codex exits without those that nobody
 * waits for (0.166.0).
 */
export function createSubagents(): (item: JsonObject, callId: string, out: Sink) => void {
  const started = new Set<string>();
  const ended = new Set<string>();

  function start(subagentId: string, callId: string, out: Sink): void {
    started.add(subagentId);
    out.emit({ type: "orchestration", action: "subagent_started", subagentId, callId });
    noteAbandoned(out);
  }

  function noteAbandoned(out: Sink): void {
    out.run.abandoned = [...started].filter((id) => !ended.has(id)).map((id) => `subagent ${id}`);
  }

  function end(subagentId: string, action: Ending, callId: string, out: Sink): void {
    if (ended.has(subagentId)) return;
    ended.add(subagentId);
    const isSuccess = action === "subagent_completed";
    out.emit({ type: "orchestration", action, subagentId, isSuccess, callId });
    noteAbandoned(out);
  }

  return (item, callId, out) => {
    const isDone = item["status"] === "completed";
    if (item["tool"] === "spawn_agent") {
      if (item["status"] === "failed")
        return out.emit({ type: "orchestration", action: "subagent_failed", isSuccess: false, callId });
      for (const id of asArray(item["receiver_thread_ids"]) ?? []) {
        const subagentId = asText(id);
        if (subagentId !== undefined) start(subagentId, callId, out);
      }
    }
    for (const [subagentId, state] of Object.entries(asObject(item["agents_states"]) ?? {})) {
      const status = asText(asObject(state)?.["status"]) ?? "";
      const action = endings.get(status);
      if (action !== undefined && (status !== "not_found" || started.has(subagentId)))
        end(subagentId, action, callId, out);
      else if (item["tool"] === "close_agent" && isDone) end(subagentId, "subagent_failed", callId, out);
    }
  };
}
