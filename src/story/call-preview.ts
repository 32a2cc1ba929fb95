import { unwrapShell } from "../shell/unwrap-shell.js";
import { cleanLine } from "../text/cut.js";
import type { JsonValue } from "../text/json.js";
import { relativeTo } from "../text/paths.js";
import { toJsonText } from "../text/to-json.js";

/** Names of input fields that say what a tool is to do, the most informative first. */
const fieldsOfWork = [
  "command",
  "cmd",
  "file_path",
  "filePath",
  "path",
  "query",
  "pattern",
  "url",
  "title",
  "subject",
  "description",
  "task",
  "instructions",
  "prompt",
  "name",
];

/** What a call is about, in one row: its command, path, query or task, else its input. */
export function previewCall(input: JsonValue | undefined, cwd: string | undefined): string {
  const { text, field } = previewOf(input, fieldsOfWork);
  if (field === "command") return cleanLine(unwrapShell(text) ?? text);
  return cleanLine(field === undefined ? text : relativeTo(text, cwd));
}

/** Names of input fields that say what a tool was asked for. An agent's own description comes first. */
const fieldsOfTask = [
  "description",
  "title",
  "prompt",
  "instructions",
  "task",
  "command",
  "query",
  "pattern",
  "url",
  "file_path",
  "path",
  "name",
];

/** What a call was asked for: its description or task, else its input. Not yet safe to show. */
export function previewTask(input: JsonValue | undefined): string {
  return previewOf(input, fieldsOfTask).text;
}

/** `reviewer: read src/util.ts`. Some subagents have no other name than the beginning of their task. */
export function joinNameAndTask(name: string, task: string): string {
  if (name === "" || task === "") return name + task;
  return task.startsWith(name.replace(/…$/, "")) ? task : `${name}: ${task}`;
}

function previewOf(
  input: JsonValue | undefined,
  fields: readonly string[],
): { text: string; field?: string } {
  if (input === undefined || input === null) return { text: "" };
  if (typeof input !== "object") return { text: String(input) };
  if (Object.keys(input).length === 0) return { text: "" };
  if (Array.isArray(input)) return { text: toJsonText(input) };
  for (const field of fields) {
    const text = input[field];
    if (typeof text === "string" && text.trim() !== "") return { text, field };
  }
  return { text: toJsonText(input) };
}
