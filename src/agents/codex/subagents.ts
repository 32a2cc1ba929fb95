import type { Sink } from "../../translator/contract.js";
import { asArray, asObject, asText } from "../../translator/fields.js";
import type { JsonObject } from "../../vocabulary/json.js";

const endings: Readonly<Record<string, "subagent_completed" | "subagent_failed">> = {
  completed: "subagent_completed",
  errored: "subagent_failed",
  interrupted: "subagent_failed",
  not_found: "subagent_failed",
};

/**
 * `collab_tool_call`: a spawn starts an agent (its id is the receiver thread); any later call whose
 * states show an agent at its end ends it, once. `shutdown` is what closing does to an agent, not how
 * its work ended, so it ends only one whose end was never shown.
 */
export function createSubagents(): (item: JsonObject, callId: string, out: Sink) => void {
  const ended = new Set<string>();

  function end(
    subagentId: string,
    action: "subagent_completed" | "subagent_failed",
    callId: string,
    out: Sink,
  ): void {
    if (ended.has(subagentId)) return;
    ended.add(subagentId);
    out.emit({
      type: "orchestration",
      action,
      subagentId,
      isSuccess: action === "subagent_completed",
      callId,
    });
  }

  return (item, callId, out) => {
    if (item["tool"] === "spawn_agent") {
      if (item["status"] === "failed") {
        out.emit({ type: "orchestration", action: "subagent_failed", isSuccess: false, callId });
        return;
      }
      for (const id of asArray(item["receiver_thread_ids"]) ?? []) {
        const subagentId = asText(id);
        if (subagentId !== undefined)
          out.emit({ type: "orchestration", action: "subagent_started", subagentId, callId });
      }
    }
    for (const [subagentId, state] of Object.entries(asObject(item["agents_states"]) ?? {})) {
      const status = asText(asObject(state)?.["status"]) ?? "";
      const action = Object.hasOwn(endings, status) ? endings[status] : undefined;
      if (action !== undefined) end(subagentId, action, callId, out);
      else if (status === "shutdown") end(subagentId, "subagent_completed", callId, out);
    }
  };
}
