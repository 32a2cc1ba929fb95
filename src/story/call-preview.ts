import { unwrapShell } from "../shell/unwrap-shell.js";
import { cleanLine } from "../text/cut.js";
import type { JsonValue } from "../text/json.js";
import { relativeTo } from "../text/paths.js";
import { toJsonText } from "../text/to-json.js";

/** Names that tools give to what they are to do, the most telling first. */
const tellingFields = [
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
  if (input === undefined || input === null) return "";
  if (typeof input !== "object") return cleanLine(String(input));
  if (Array.isArray(input)) return input.length === 0 ? "" : cleanLine(toJsonText(input));
  for (const field of tellingFields) {
    const value = input[field];
    if (typeof value !== "string" || value.trim() === "") continue;
    return cleanLine(field === "command" ? (unwrapShell(value) ?? value) : relativeTo(value, cwd));
  }
  return Object.keys(input).length === 0 ? "" : cleanLine(toJsonText(input));
}
