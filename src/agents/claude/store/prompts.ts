import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";

/** What a `user` line of the main thread is. */
export type UserLine =
  /** Somebody asked for something. */
  | { kind: "prompt"; text: string }
  /** A slash command, or a command in Claude Code's own shell. The model may answer it, or not. */
  | { kind: "command"; text: string }
  /** Something in the background has ended, and Claude Code goes on by itself. */
  | { kind: "notification"; text: string }
  | { kind: "interruption" }
  /** What such a command printed. */
  | { kind: "printed" }
  /** Results of calls, and what Claude Code itself adds to the conversation. */
  | { kind: "other" };

const other: UserLine = { kind: "other" };

export function readUserLine(record: JsonObject): UserLine {
  const text = textOf(asObject(record["message"])?.["content"]);
  if (text === undefined) return other;
  if (/^\[Request interrupted by user[^\]]*\]$/.test(text)) return { kind: "interruption" };
  if (text.startsWith("<task-notification>")) return { kind: "notification", text };
  if (record["isMeta"] === true || record["isCompactSummary"] === true) return other;
  const command = tagged(text, "command-name");
  if (command !== undefined && /^<command-/.test(text)) {
    const words = [command, tagged(text, "command-args")].filter((word) => word !== undefined);
    return { kind: "command", text: words.join(" ") };
  }
  const typed = text.startsWith("<bash-input>") ? tagged(text, "bash-input") : undefined;
  if (typed !== undefined) return { kind: "command", text: `! ${typed}` };
  return ownTags.test(text) ? { kind: "printed" } : { kind: "prompt", text };
}

/** What somebody asked for. Undefined for any other line. */
export function promptIn(record: JsonObject): { text: string } | undefined {
  const line = readUserLine(record);
  return line.kind === "prompt" || line.kind === "command" ? line : undefined;
}

/** The task of a notification, and how it ended. */
export function readNotification(text: string): { taskId: string | undefined; status: string | undefined } {
  return { taskId: tagged(text, "task-id"), status: tagged(text, "status") };
}

/** What local commands printed, and the commands that the user ran in Claude Code's own shell. The model only sees them with the next prompt. */
const ownTags = /^<(?:local-command-\w+|bash-(?:input|stdout|stderr)|user-memory-input)>/;

function tagged(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = text.indexOf(`</${tag}>`, start);
  if (start === -1 || end === -1) return undefined;
  return asText(text.slice(start + tag.length + 2, end).trim());
}

/** The text of a message. Undefined if it holds a result, or nothing to read. */
function textOf(content: JsonValue | undefined): string | undefined {
  if (typeof content === "string") return asText(content);
  const parts: string[] = [];
  for (const value of asArray(content) ?? []) {
    const block = asObject(value);
    if (block?.["type"] === "tool_result") return undefined;
    if (block?.["type"] === "text") parts.push(asText(block["text"]) ?? "");
    else if (block?.["type"] === "image" || block?.["type"] === "document") parts.push(`[${block["type"]}]`);
  }
  return asText(parts.filter((part) => part !== "").join("\n"));
}
