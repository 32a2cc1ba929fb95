import type { EventOf } from "../../events/event.js";
import { firstText, isObject } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Records } from "./records.js";

type Orchestration = EventOf<"orchestration">;

/**
 * Subagents, as Claude Code reports them: `task_started` and `task_notification` if the agent has an id for the subagent. Without
 * one, a subagent starts with the first record of its own, and ends with the result of its call.
 */
export interface Subagents {
  /** A call that may start a subagent begins. */
  called(event: EventOf<"tool_start">): void;
  started(event: Orchestration): void;
  /** A subagent has ended, apart from its call. */
  ended(event: Orchestration): void;
  /** A subagent has ended with its call, which succeeded or not. */
  endedWith(event: Orchestration, isCallSuccess: boolean): void;
  /** The details of the result of a call that has started a subagent. It is forgotten if the subagent has ended. */
  returned(callId: string): JsonObject;
}

interface Task {
  taskId: string | undefined;
  prompt: string;
  hasStarted: boolean;
  hasEnded: boolean;
  /** Its call has ended, and it goes on. */
  isReturned: boolean;
}

/** Subagents that go on, by their call and by their id. */
interface Known {
  readonly records: Records;
  readonly byCall: Map<string, Task>;
  readonly ids: Set<string>;
}

export function createSubagents(records: Records): Subagents {
  const known: Known = { records, byCall: new Map(), ids: new Set() };
  const { byCall, ids } = known;
  return {
    called({ callId, input }) {
      const fields = isObject(input) ? input : {};
      const prompt = firstText(fields, ["prompt", "instructions", "task", "description"]) ?? "";
      const flags = { hasStarted: false, hasEnded: false, isReturned: false };
      byCall.set(callId, { taskId: undefined, prompt, ...flags });
    },
    started: (event) => startTask(known, event),
    ended(event) {
      const { callId = "", subagentId } = event;
      const task = byCall.get(callId);
      if (task !== undefined) task.hasEnded = true;
      if (task?.isReturned) byCall.delete(callId);
      const taskId = subagentId ?? task?.taskId ?? (task?.isReturned ? callId : undefined);
      if (taskId === undefined) return task === undefined ? records.addEvent(event) : undefined;
      // The id of a subagent may become known at its end only.
      if (!ids.has(taskId) && task?.hasStarted) announce(known, event, taskId);
      notify(known, event, taskId);
    },
    endedWith(event, isCallSuccess) {
      const task = byCall.get(event.callId ?? "");
      if (task === undefined) return;
      task.hasEnded = true;
      const { taskId } = task;
      const isCompleted = event.action === "subagent_completed";
      if (taskId !== undefined && isCompleted !== isCallSuccess) notify(known, event, taskId);
      task.taskId ??= event.subagentId;
    },
    returned(callId) {
      const task = byCall.get(callId);
      if (task === undefined) return {};
      if (task.hasEnded || !task.hasStarted) byCall.delete(callId);
      task.isReturned = true;
      const about = task.taskId === undefined ? {} : { agentId: task.taskId };
      if (!task.hasEnded) return { isAsync: true, status: "async_launched", ...about };
      ids.delete(task.taskId ?? "");
      return about;
    },
  };
}

function startTask(known: Known, event: Orchestration): void {
  const { callId, subagentId, seq } = event;
  const task = known.byCall.get(callId ?? "");
  if (task !== undefined) task.hasStarted = true;
  if (subagentId === undefined && callId !== undefined && task !== undefined) {
    known.records.add({
      type: "user",
      message: { role: "user", content: [{ type: "text", text: task.prompt }] },
      parent_tool_use_id: callId,
    });
    return;
  }
  const taskId = subagentId ?? callId ?? `harness_${seq}`;
  if (task !== undefined) task.taskId ??= taskId;
  announce(known, event, taskId);
}

function announce({ records, byCall, ids }: Known, event: Orchestration, taskId: string): void {
  const { callId, subagentName, parentCallId } = event;
  const parent = byCall.get(parentCallId ?? "")?.taskId;
  ids.add(taskId);
  records.add({
    type: "system",
    subtype: "task_started",
    task_id: taskId,
    task_type: "local_agent",
    ...(callId !== undefined && { tool_use_id: callId }),
    ...(parent !== undefined && { parent_task_id: parent }),
    ...(subagentName !== undefined && { subagent_type: subagentName }),
    description: subagentName ?? "subagent",
    is_backgrounded: false,
  });
}

function notify({ records, ids }: Known, event: Orchestration, taskId: string): void {
  const { callId, subagentName = "subagent", action } = event;
  ids.delete(taskId);
  records.add({
    type: "system",
    subtype: "task_notification",
    task_id: taskId,
    ...(callId !== undefined && { tool_use_id: callId }),
    status: action === "subagent_completed" ? "completed" : "failed",
    output_file: "",
    summary: subagentName,
  });
}
