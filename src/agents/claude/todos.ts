import { asArray, asObject, asText } from "../../text/fields.js";
import type { TodoList, TodoTool, TodoTools } from "../contract.js";
import { idOf, mergeTodos, readTodos, wholeList } from "../shared/todos.js";

/**
 * Lines of subagents have only the text of a result, so the text counts if there are no details. A failed update is not an error of the
 * call (2.1.325): its text differs.
 */
const created = /^Task #(\S+) created/;
const updated = /^Updated task #\S/;
const listed = /^#(\S+) \[(\w+)\] (.*)$/;
const blockers = / \[blocked by [^\]]*\]$/;

const create: TodoTool["read"] = ({ input, output, details }, before) => {
  const { subject } = asObject(input) ?? {};
  const id = idOf(asObject(asObject(details)?.["task"])?.["id"]) ?? created.exec(asText(output) ?? "")?.[1];
  // The first task of a list that was not known: the list was empty.
  const known = before ?? (id === "1" ? [] : undefined);
  if (id === undefined || known === undefined) return known;
  return mergeTodos(known, [{ id, subject: subject ?? null, status: "pending" }]);
};

/** `status: "deleted"` removes the task. A task that the list does not have came from elsewhere: the list is not known then. */
const update: TodoTool["read"] = ({ input, output }, before) => {
  if (!updated.test(asText(output) ?? "") || before === undefined) return before;
  const { taskId, subject, status } = asObject(input) ?? {};
  const id = idOf(taskId);
  if (id === undefined || !before.some((todo) => todo.id === id)) return undefined;
  return mergeTodos(before, [{ id, content: asText(subject) ?? null, status: status ?? null }]);
};

const list: TodoTool["read"] = ({ output, details }, before) => {
  const tasks = readTodos(asArray(asObject(details)?.["tasks"]));
  return tasks ?? listInText(asText(output) ?? "", before);
};

/** `#1 [pending] First (owner) [blocked by #2]`: the words of a task that is known already are better than those of the text. */
function listInText(text: string, before: TodoList | undefined): TodoList | undefined {
  const lines = text.split("\n").flatMap((line) => {
    const [, id, status, words] = listed.exec(line) ?? [];
    if (id === undefined || status === undefined || words === undefined) return [];
    const content = before?.find((todo) => todo.id === id)?.content ?? words.replace(blockers, "");
    return { id, status, content };
  });
  return lines.length === 0 ? before : readTodos(lines);
}

/**
 * `TodoWrite` has the whole list, and each subagent its own. It was replaced by tasks that are created and changed one by one, in one
 * list for the session (2.1.197 has both, 2.1.325 refuses `TodoWrite` unless tasks are turned off).
 */
export const claudeTodoTools: TodoTools = {
  TodoWrite: wholeList,
  TaskCreate: { read: create, isShared: true },
  TaskUpdate: { read: update, isShared: true },
  TaskList: { read: list, isShared: true },
};
