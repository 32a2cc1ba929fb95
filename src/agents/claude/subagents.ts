import type { Sink } from "../../translator/contract.js";
import { asObject, asText } from "../../translator/fields.js";
import type { JsonObject } from "../../vocabulary/json.js";

/**
 * Follows subagents. `task_started` begins one; it ends once, at the first of `task_updated`,
 * `task_notification` and the result of its call. Shell tasks (`local_bash`) go through the same
 * records and are not subagents.
 */
export interface Subagents {
  started(record: JsonObject, out: Sink): void;
  /** `task_updated` and `task_notification`. */
  changed(record: JsonObject, status: string | undefined, out: Sink): void;
  /** The result of an `Agent` call; not an end when the agent went on in the background. */
  returned(call: { callId: string; name: string | undefined; isSuccess: boolean }, out: Sink): void;
}

interface Task {
  subagentId?: string | undefined;
  subagentName?: string | undefined;
  callId?: string | undefined;
}

const endings: Readonly<Record<string, "subagent_completed" | "subagent_failed">> = {
  completed: "subagent_completed",
  failed: "subagent_failed",
  stopped: "subagent_failed",
  killed: "subagent_failed",
  cancelled: "subagent_failed",
};

export function createSubagents(): Subagents {
  const running = new Map<string, Task>();
  const endedCalls = new Set<string>();

  function end(task: Task, action: "subagent_completed" | "subagent_failed", out: Sink): void {
    if (task.subagentId !== undefined) running.delete(task.subagentId);
    if (task.callId !== undefined) endedCalls.add(task.callId);
    out.emit({ type: "orchestration", action, ...task, isSuccess: action === "subagent_completed" });
  }

  return {
    started(record, out) {
      const taskId = asText(record["task_id"]);
      if (record["task_type"] === "local_bash") return out.consume("system/task_started: a shell task");
      if (record["task_type"] !== "local_agent" || taskId === undefined) return;
      const task = {
        subagentId: taskId,
        subagentName: asText(record["subagent_type"]),
        callId: asText(record["tool_use_id"]),
      };
      running.set(taskId, task);
      out.emit({ type: "orchestration", action: "subagent_started", ...task });
    },
    changed(record, status, out) {
      const task = running.get(asText(record["task_id"]) ?? "");
      const action = endings[status ?? ""];
      if (task === undefined || action === undefined) return out.consume("system/task: no subagent ended");
      end(task, action, out);
    },
    returned(call, out) {
      if (endedCalls.has(call.callId)) return;
      const task = [...running.values()].find((candidate) => candidate.callId === call.callId);
      const action = call.isSuccess ? "subagent_completed" : "subagent_failed";
      end(task ?? { callId: call.callId, subagentName: call.name }, action, out);
    },
  };
}

/** True when the call returned at once and its subagent goes on: `tool_use_result.isAsync`. */
export function isBackground(record: JsonObject): boolean {
  const details = asObject(record["tool_use_result"]);
  return details?.["isAsync"] === true || details?.["status"] === "async_launched";
}
