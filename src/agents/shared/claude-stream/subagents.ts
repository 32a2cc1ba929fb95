import { asFlag, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";

/**
 * Follows subagents. `task_started` starts one. It ends once, at the first of `task_updated`, `task_notification`
 * and the result of its call. Shell tasks (`local_bash`) have the same records but are not subagents.
 */
export interface Subagents {
  started(record: JsonObject, out: Sink): void;
  /** An error ended the subagent. Its task is reported as `completed` even so (2.1.197). */
  erred(callId: string): void;
  /** `task_updated` and `task_notification`. */
  changed(record: JsonObject, status: string | undefined, out: Sink): void;
  /** The result of an `Agent` call. Not for a subagent that goes on in the background. */
  returned(call: { callId: string; name: string | undefined; isSuccess: boolean }, out: Sink): void;
  /** True if this run has started a subagent. */
  readonly hasStarted: boolean;
}

interface Task {
  subagentId?: string | undefined;
  subagentName?: string | undefined;
  callId?: string | undefined;
}

type Ending = "subagent_completed" | "subagent_failed";

const endings: ReadonlyMap<string | undefined, Ending> = new Map([
  ["completed", "subagent_completed"],
  ["failed", "subagent_failed"],
  ["stopped", "subagent_failed"],
  ["killed", "subagent_failed"],
  ["cancelled", "subagent_failed"],
]);

export function createSubagents(): Subagents {
  const running = new Map<string, Task>();
  let hasStarted = false;
  const endedCalls = new Set<string>();
  const erredCalls = new Set<string>();

  function end(task: Task, reported: Ending, out: Sink): void {
    if (task.subagentId !== undefined) running.delete(task.subagentId);
    if (task.callId !== undefined) endedCalls.add(task.callId);
    const action = task.callId !== undefined && erredCalls.has(task.callId) ? "subagent_failed" : reported;
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
      hasStarted = true;
      running.set(taskId, task);
      out.emit({ type: "orchestration", action: "subagent_started", ...task });
    },
    erred: (callId) => {
      erredCalls.add(callId);
    },
    changed(record, status, out) {
      const task = running.get(asText(record["task_id"]) ?? "");
      const action = endings.get(status);
      if (task === undefined || action === undefined) return out.consume("system/task: no subagent ended");
      end(task, action, out);
    },
    returned(call, out) {
      if (endedCalls.has(call.callId)) return;
      const task = [...running.values()].find((candidate) => candidate.callId === call.callId);
      const action = call.isSuccess ? "subagent_completed" : "subagent_failed";
      end(task ?? { callId: call.callId, subagentName: call.name }, action, out);
    },
    get hasStarted() {
      return hasStarted;
    },
  };
}

/** True if the call returned at once and its subagent goes on: `tool_use_result.isAsync`. */
export function isBackground(record: JsonObject): boolean {
  const details = asObject(record["tool_use_result"]);
  return asFlag(details?.["isAsync"]) === true || details?.["status"] === "async_launched";
}
