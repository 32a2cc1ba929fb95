import type { PlanEntry } from "../../events/live-event.js";
import { asArray, asFlag, asObject, asText, firstText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Todo, TodoList, TodoTool } from "../contract.js";

/** Where agents put the words of an entry, the most specific name first. */
const contentKeys = ["content", "text", "step", "title", "subject", "description"];

type Status = PlanEntry["status"] | "dropped";

/** Statuses as agents spell them, in lower case. `dropped`: the entry was cancelled or deleted. */
const statuses: ReadonlyMap<string, Status> = new Map<string, Status>([
  ["pending", "pending"],
  ["todo", "pending"],
  ["blocked", "pending"],
  ["in_progress", "in_progress"],
  ["inprogress", "in_progress"],
  ["active", "in_progress"],
  ["completed", "completed"],
  ["complete", "completed"],
  ["done", "completed"],
  ["cancelled", "dropped"],
  ["canceled", "dropped"],
  ["deleted", "dropped"],
]);

const priorities: ReadonlySet<string> = new Set<NonNullable<PlanEntry["priority"]>>([
  "high",
  "medium",
  "low",
]);

/**
 * The entries of a list, tolerantly. An entry without words is left out, and so is a cancelled or deleted one, since the vocabulary has
 * only what is to be done and what was done. A status that is not known is `pending`. Undefined if the value is not a list.
 */
export function readTodos(value: JsonValue | undefined): Todo[] | undefined {
  return asArray(value)?.flatMap((entry) => readTodo(entry) ?? []);
}

function readTodo(value: JsonValue): Todo | undefined {
  const fields = asObject(value) ?? { content: value };
  const content = contentOf(fields);
  const status = statusOf(fields);
  if (content === undefined || status === "dropped") return undefined;
  return withDetails({ content, status }, fields);
}

function contentOf(fields: JsonObject): string | undefined {
  const content = firstText(fields, contentKeys);
  return content?.trim() === "" ? undefined : content;
}

function statusOf(fields: JsonObject): Status {
  const isDone = asFlag(fields["completed"]) ?? asFlag(fields["done"]);
  return toStatus(asText(fields["status"]) ?? "") ?? (isDone ? "completed" : "pending");
}

/** The status of any spelling: `in_progress`, `inProgress`, `in-progress`, `TODO_STATUS_IN_PROGRESS`. Undefined if it is not known. */
export function toStatus(spelling: string): Status | undefined {
  const word = spelling.trim().toLowerCase().replace(/[ -]/g, "_");
  return statuses.get(word.replace(/^todo_status_/, ""));
}

function withDetails(todo: Todo, fields: JsonObject): Todo {
  const id = idOf(fields["id"]);
  const priority = asText(fields["priority"])?.toLowerCase() ?? "";
  return { ...todo, ...(id !== undefined && { id }), ...(isPriority(priority) && { priority }) };
}

function isPriority(word: string): word is NonNullable<PlanEntry["priority"]> {
  return priorities.has(word);
}

/** An id is a text or a number. */
export function idOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "number" ? String(value) : asText(value);
}

/** Changes entries by their ids: fields that an entry of `changes` lacks stay as they are, and new entries go to the end. */
export function mergeTodos(before: TodoList, changes: JsonValue | undefined): TodoList {
  let list = before;
  for (const change of asArray(changes) ?? []) list = mergeTodo(list, asObject(change) ?? {});
  return list;
}

function mergeTodo(list: TodoList, change: JsonObject): TodoList {
  const id = idOf(change["id"]);
  const old = id === undefined ? undefined : list.find((todo) => todo.id === id);
  const given = Object.entries(change).filter(([, value]) => value !== null);
  const merged = readTodo({ ...old, ...Object.fromEntries(given) });
  if (old === undefined) return merged === undefined ? list : [...list, merged];
  return list.flatMap((todo) => (todo === old ? (merged ?? []) : todo));
}

/** An item of a list in Markdown, with or without a check box: `- [x] one`, `2. [in_progress] two`, `* three`. */
const listItem = /^(?:[-*+]|\d{1,6}[.)])\s+(.+)$/;
const checkBox = /^\[([^\]]{0,20})\]\s+(\S.*)$/;

/**
 * The entries of a list that is text: lines with a check box, or the items of a Markdown list if none has one. A box holds nothing, an
 * x, another mark for work that has begun, or the name of a status.
 */
export function todosInText(text: string): Todo[] {
  const lines = text.split("\n").map((line) => line.trim());
  const boxes = lines.flatMap((line) => checkedLine(listItem.exec(line)?.[1] ?? line) ?? []);
  if (boxes.length > 0) return boxes.flatMap(({ content, status }) => kept(content, status));
  return lines.flatMap((line) => kept(listItem.exec(line)?.[1], "pending"));
}

function checkedLine(line: string): { content: string | undefined; status: Status } | undefined {
  const [, mark = "", content] = checkBox.exec(line) ?? [];
  if (content === undefined) return undefined;
  const status = mark.trim().length > 1 ? toStatus(mark) : statusOfMark(mark.trim());
  return status && { content, status };
}

function statusOfMark(mark: string): Status {
  if (mark === "") return "pending";
  return mark.toLowerCase() === "x" ? "completed" : "in_progress";
}

function kept(content: string | undefined, status: Status): Todo[] {
  return content === undefined || status === "dropped" ? [] : [{ content, status }];
}

/** A tool whose input is the whole list, in the field `todos`. */
export const wholeList: TodoTool = {
  read: ({ input, isSuccess }, before) =>
    isSuccess ? (readTodos(asObject(input)?.["todos"]) ?? before) : before,
};
