import type { JsonValue } from "../../text/json.js";
import { toJsonText } from "../../text/to-json.js";
import { type Deed, describeDeed } from "../describe-operation.js";
import type { CallItem } from "./items.js";

/** A call in one line: what it did where that is known, else the tool and what it was asked. */
export function describeCall(call: CallItem, cwd: string | undefined): Deed & { more: number } {
  const [first, ...rest] = call.operations;
  if (first === undefined) return { verb: call.name, object: previewOf(call.input), more: 0 };
  const deed = describeDeed(first, cwd);
  if (first.type === "orchestration") {
    const task = previewOf(call.input);
    return {
      verb: "Subagent",
      object: [deed.object, task].filter((part) => part !== "").join(": "),
      more: 0,
    };
  }
  return { ...deed, more: rest.length };
}

/** Names that tools give to what they were asked for, the most telling first. */
const tellingFields = [
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

function previewOf(input: JsonValue | undefined): string {
  if (input === undefined || input === null) return "";
  if (typeof input !== "object") return String(input);
  if (Array.isArray(input)) return toJsonText(input);
  for (const field of tellingFields) {
    const value = input[field];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  const text = toJsonText(input);
  return text === "{}" ? "" : text;
}
