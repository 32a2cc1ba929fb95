import { asFlag, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { createRecent } from "../../../text/recent.js";
import type { OpenCall, Sink } from "../../contract.js";
import { rememberedSubagents } from "./threads.js";

/**
 * Follows subagents. `task_started` starts one. Claude Code 2.0 does not print it: there a subagent has started when the
 * first line of its own arrives, or at the latest when its call returns. A subagent ends once, at the first of
 * `task_updated`, `task_notification` and the result of its call. Shell tasks (`local_bash`) have the same records but are
 * not subagents.
 */
export interface Subagents {
  /** An `Agent` call begins. */
  called(call: OpenCall): void;
  /** A line of the subagent that the call has started. */
  heard(callId: string | undefined, out: Sink): void;
  started(record: JsonObject, out: Sink): void;
  /** An error ended the subagent. Its task is reported as `completed` even so (2.1.197). */
  erred(callId: string): void;
  /** `task_updated` and `task_notification`. */
  changed(record: JsonObject, status: string | undefined, out: Sink): void;
  /** The result of an `Agent` call. It does not end a subagent that goes on in the background. */
  returned(call: OpenCall, record: JsonObject, isSuccess: boolean, out: Sink): void;
  /** True if this run has started a subagent. */
  readonly hasStarted: boolean;
}

interface Task {
  subagentId?: string | undefined;
  subagentName?: string | undefined;
  callId?: string | undefined;
  /** The call of the subagent that has started this one. */
  parentCallId?: string | undefined;
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
  /** Calls whose subagent has not started. */
  const waiting = new Map<string, Task>();
  /** The subagents that have started, by call and by id. */
  const byCall = createRecent<string, Task>(rememberedSubagents);
  const byId = createRecent<string, Task>(rememberedSubagents);
  const ended = new WeakSet<Task>();
  let hasStarted = false;
  const erredCalls = new Set<string>();

  function start(task: Task, out: Sink): void {
    hasStarted ||= task.callId !== undefined || task.subagentId !== undefined;
    if (task.callId !== undefined) {
      waiting.delete(task.callId);
      byCall.set(task.callId, task);
    }
    if (task.subagentId !== undefined) byId.set(task.subagentId, task);
    out.emit({ type: "orchestration", action: "subagent_started", ...task });
  }

  function end(task: Task, reported: Ending, out: Sink): void {
    if (ended.has(task)) return;
    ended.add(task);
    const action = task.callId !== undefined && erredCalls.has(task.callId) ? "subagent_failed" : reported;
    out.emit({ type: "orchestration", action, ...task, isSuccess: action === "subagent_completed" });
  }

  return {
    called(call) {
      if (!byCall.has(call.callId)) waiting.set(call.callId, ownCall(call));
    },
    heard(callId, out) {
      const task = waiting.get(callId ?? "");
      if (task !== undefined) start(task, out);
    },
    started(record, out) {
      const taskId = asText(record["task_id"]);
      if (record["task_type"] === "local_bash") return out.consume("system/task_started: a shell task");
      if (record["task_type"] !== "local_agent" || taskId === undefined) return;
      const callId = asText(record["tool_use_id"]);
      const heard = byCall.get(callId ?? "");
      if (heard !== undefined) heard.subagentId ??= taskId;
      const running = heard?.subagentId === taskId ? heard : byId.get(taskId);
      if (running !== undefined && !ended.has(running)) {
        byId.set(taskId, running);
        return out.consume("system/task_started: already started");
      }
      const call = waiting.get(callId ?? "");
      const parent = byId.get(asText(record["parent_task_id"]) ?? "");
      const subagentName = asText(record["subagent_type"]) ?? call?.subagentName;
      const parentCallId = parent?.callId ?? call?.parentCallId;
      start({ subagentId: taskId, subagentName, callId, parentCallId }, out);
    },
    erred: (callId) => {
      erredCalls.add(callId);
    },
    changed(record, status, out) {
      const task = byId.get(asText(record["task_id"]) ?? "");
      const action = endings.get(status);
      if (task === undefined || action === undefined || ended.has(task))
        return out.consume("system/task: no subagent ended");
      end(task, action, out);
    },
    returned(call, record, isSuccess, out) {
      const task = byCall.get(call.callId) ?? waiting.get(call.callId) ?? ownCall(call);
      task.subagentId ??= asText(asObject(record["tool_use_result"])?.["agentId"]);
      // A subagent that does not exist, or was refused, fails without a start.
      if (isSuccess && waiting.has(call.callId)) start(task, out);
      waiting.delete(call.callId);
      if (!isBackground(record)) end(task, isSuccess ? "subagent_completed" : "subagent_failed", out);
    },
    get hasStarted() {
      return hasStarted;
    },
  };
}

/** What the call itself says about its subagent. */
function ownCall({ callId, parentCallId, input }: OpenCall): Task {
  return { callId, subagentName: asText(asObject(input)?.["subagent_type"]), parentCallId };
}

/** True if the call returned at once and its subagent goes on: `tool_use_result.isAsync`. */
function isBackground(record: JsonObject): boolean {
  const details = asObject(record["tool_use_result"]);
  return asFlag(details?.["isAsync"]) === true || details?.["status"] === "async_launched";
}
