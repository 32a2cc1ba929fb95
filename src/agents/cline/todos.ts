import { asObject, asText } from "../../text/fields.js";
import type { TodoTool } from "../contract.js";
import { idOf, mergeTodos, readTodos } from "../shared/todos.js";

/**
 * `team_task` (3.0.65): the lead and its teammates share one list of tasks. `list` returns all of them, or those with a status or an
 * assignee. Every other action changes one task, and its output has the task's id and status.
 */
const read: TodoTool["read"] = ({ input, output, isSuccess }, before) => {
  const { action, title, status: wanted, assignee } = asObject(input) ?? {};
  const { taskId, status, tasks } = asObject(output) ?? {};
  if (!isSuccess) return before;
  if (action === "list") return (wanted ?? assignee ?? null) === null ? (readTodos(tasks) ?? before) : before;
  const id = idOf(taskId);
  if (id === undefined) return before;
  const isNew = action === "create";
  const known = isNew && numberOf(id) === 1 ? [] : before;
  // A team that was restored has tasks of earlier runs, which only `list` shows.
  const isKnown = isNew ? known?.length === numberOf(id) - 1 : known?.some((todo) => todo.id === id);
  if (known === undefined || !isKnown) return undefined;
  return mergeTodos(known, [{ id, status: status ?? null, ...(isNew && { title: asText(title) ?? null }) }]);
};

/** `task_0001` is the first task of the team. No action removes one. */
function numberOf(id: string): number {
  return Number(id.replace(/^task_/, ""));
}

export const teamTask: TodoTool = { read, isShared: true };
