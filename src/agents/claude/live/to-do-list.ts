import type { PlanEntry } from "../../../events/event.js";
import { asArray, asFlag, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { OpenCall, Sink } from "../../contract.js";

/** Tools that only change or show the list. Their calls are neither operations nor `unknown`. */
export const toDoTools: ReadonlySet<string> = new Set([
  "TaskCreate",
  "TaskUpdate",
  "TaskList",
  "TaskGet",
  "TodoWrite",
]);

/** The main agent's to-do list. Older versions write it whole (`TodoWrite`), newer ones task by task. */
export interface ToDoList {
  /** Before the result of a call is translated: the call is still open. */
  returning(record: JsonObject, out: Sink): void;
}

type Change = (call: OpenCall, result: JsonObject) => boolean;

export function createToDoList(): ToDoList {
  /** By the id of the task, in the order in which they were created. */
  let tasks = new Map<string, PlanEntry>();

  const changes: Readonly<Record<string, Change>> = {
    TodoWrite({ input }) {
      const todos = asArray(asObject(input)?.["todos"]);
      if (todos === undefined) return false;
      const entries = todos.flatMap((todo) => entryOf(asObject(todo) ?? {}, "content"));
      tasks = new Map(entries.map((entry, index) => [String(index), entry]));
      return true;
    },
    TaskCreate({ input }, result) {
      const task = asObject(result["task"]) ?? {};
      const id = asText(task["id"]);
      const [entry] = entryOf({ ...asObject(input), ...task }, "subject");
      if (id === undefined || entry === undefined) return false;
      tasks.set(id, entry);
      return true;
    },
    TaskUpdate({ input }, result) {
      const fields = asObject(input) ?? {};
      const id = asText(fields["taskId"]) ?? "";
      const task = tasks.get(id);
      if (task === undefined || result["success"] === false) return false;
      if (fields["status"] === "deleted") return tasks.delete(id);
      const [entry] = entryOf({ subject: task.content, status: task.status, ...fields }, "subject");
      if (entry === undefined || (entry.content === task.content && entry.status === task.status))
        return false;
      tasks.set(id, entry);
      return true;
    },
  };

  return {
    returning(record, out) {
      if (asText(record["parent_tool_use_id"]) !== undefined) return;
      const details = asObject(record["tool_use_result"]) ?? {};
      for (const value of asArray(asObject(record["message"])?.["content"]) ?? []) {
        const block = asObject(value) ?? {};
        const call = out.call(asText(block["tool_use_id"]) ?? "");
        if (block["type"] !== "tool_result" || call === undefined || asFlag(block["is_error"]) === true)
          continue;
        const change = Object.hasOwn(changes, call.name) ? changes[call.name] : undefined;
        if (change?.(call, details))
          out.emit({ type: "plan", entries: [...tasks.values()], callId: call.callId });
      }
    },
  };
}

const statuses: ReadonlyMap<unknown, PlanEntry["status"]> = new Map([
  ["in_progress", "in_progress"],
  ["completed", "completed"],
]);

function entryOf(fields: JsonObject, name: "content" | "subject"): PlanEntry[] {
  const content = asText(fields[name]);
  return content === undefined ? [] : [{ content, status: statuses.get(fields["status"]) ?? "pending" }];
}
