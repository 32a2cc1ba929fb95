import { asArray, asNumber, asObject, asText, asTexts } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { contentText } from "./prompts.js";

/** An item of `item_completed` in the spelling of `exec --json`, so that one table of tools serves both. */
export function toExecItem(item: JsonObject): JsonObject {
  const type = asText(item["type"]) ?? "";
  const extra = Object.hasOwn(extras, type) ? extras[type]?.(item) : {};
  return { ...item, type: otherTypes.get(type) ?? toSnakeCase(type), ...extra };
}

const otherTypes: ReadonlyMap<string, string> = new Map([["CollabAgentToolCall", "collab_tool_call"]]);

const extras: Readonly<Record<string, (item: JsonObject) => JsonObject>> = {
  CommandExecution: (item) => ({
    command: joinCommand(item["command"]) ?? null,
    cwd: pathOf(item["cwd"]) ?? null,
  }),
  FileChange: (item) => ({
    changes: Object.entries(asObject(item["changes"]) ?? {}).map(([path, change]) => {
      const { type = null, move_path: moved = null } = asObject(change) ?? {};
      return { path, kind: type, ...(moved !== null && { move_path: moved }) };
    }),
  }),
  AgentMessage: (item) => ({ text: contentText(item["content"]) ?? "" }),
  /** Codex shows a summary of the reasoning, or the reasoning itself. */
  Reasoning: (item) => ({ text: partsOf(item["summary_text"]) || partsOf(item["raw_content"]) }),
  CollabAgentToolCall: (item) => ({
    agents_states: Object.fromEntries(
      Object.entries(asObject(item["agents_states"]) ?? {}).map(([id, state]) => [id, toState(state)]),
    ),
  }),
};

/** The call of a tool, as the item that it becomes. Undefined if its item follows, or if there is none for it. */
export function toStartedItem(
  name: string,
  input: JsonValue | undefined,
  callId: string,
): JsonObject | undefined {
  const fields = asObject(input) ?? {};
  if (shellTools.has(name)) {
    const command = commandIn(fields);
    const cwd = asText(fields["workdir"]) ?? null;
    if (command === undefined) return undefined;
    return { type: "command_execution", id: callId, command, cwd, status: "in_progress" };
  }
  if (Object.hasOwn(collaborationTools, name)) {
    const ids = asTexts(fields["targets"] ?? fields["ids"] ?? [fields["target"] ?? fields["id"] ?? null]);
    const prompt = asText(fields["message"]) ?? null;
    const tool = collaborationTools[name] ?? name;
    return {
      type: "collab_tool_call",
      id: callId,
      tool,
      prompt,
      receiver_thread_ids: ids,
      status: "in_progress",
    };
  }
  const patch = asText(input) ?? asText(fields["input"]) ?? asText(fields["patch"]);
  if (name === "apply_patch" && patch !== undefined)
    return { type: "file_change", id: callId, changes: changesIn(patch), status: "in_progress" };
  return undefined;
}

/** The tools for subagents, and their names in items. */
const collaborationTools: Readonly<Record<string, string>> = {
  spawn_agent: "spawn_agent",
  wait_agent: "wait",
  wait: "wait",
  close_agent: "close_agent",
  send_input: "send_input",
};

const shellTools: ReadonlySet<string> = new Set([
  "exec_command",
  "shell",
  "shell_command",
  "container.exec",
  "local_shell",
]);

function commandIn(fields: JsonObject): string | undefined {
  return asText(fields["cmd"]) ?? joinCommand(fields["command"]);
}

/** The files of a patch. */
function changesIn(patch: string): JsonObject[] {
  const marks = [...patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)];
  return marks.map(([, kind = "", path = ""]) => ({ path: path.trim(), kind: kind.toLowerCase() }));
}

/**
 * How a call ended, by the text that the model got. Undefined while its command is still running.
 * - `Process exited with code 1` (0.166.0), `Exit code: 0` (2025), and before that JSON with `metadata.exit_code`.
 */
export function toFinishedItem(started: JsonObject, output: JsonValue | undefined): JsonObject | undefined {
  const fields = asObject(output);
  const text = asText(output) ?? contentText(output) ?? asText(fields?.["content"]) ?? "";
  if (started["type"] === "collab_tool_call") return { ...started, ...collaborationResult(fields) };
  if (/^(?:.*\n){0,4}Process running with session ID /.test(text)) return undefined;
  const head = /^(?:.*\n){0,4}?(?:Process exited with code|Exit code:) (-?\d+)\n/.exec(text);
  const inJson = asNumber(asObject(fields?.["metadata"])?.["exit_code"]);
  const exitCode = head?.[1] === undefined ? inJson : Number(head[1]);
  const printed =
    head === null ? (asText(fields?.["output"]) ?? text) : text.replace(/^(?:.*\n){0,8}?Output:\n/, "");
  return {
    ...started,
    aggregated_output: printed,
    exit_code: exitCode ?? null,
    status: exitCode === 0 ? "completed" : "failed",
  };
}

function collaborationResult(fields: JsonObject | undefined): JsonObject {
  if (fields === undefined) return { status: "failed" };
  const id = asText(fields["agent_id"]);
  const states = Object.entries(asObject(fields["status"]) ?? {}).map(([key, state]) => [
    key,
    toState(state),
  ]);
  return {
    status: "completed",
    ...(id !== undefined && { receiver_thread_ids: [id] }),
    agents_states: Object.fromEntries(states),
  };
}

/** `"pending_init"`, or `{ "completed": "its answer" }`. */
function toState(state: JsonValue): JsonValue {
  if (typeof state === "string") return { status: state, message: null };
  const [entry] = Object.entries(asObject(state) ?? {});
  return entry === undefined ? state : { status: entry[0], message: entry[1] };
}

/** The words of a command as one line, which a shell would split into the same words. */
function joinCommand(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return asText(value);
  const words = (asArray(value) ?? []).filter((word) => typeof word === "string");
  return words.length === 0 ? undefined : words.map(quoted).join(" ");
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!word.includes("'")) return `'${word}'`;
  return /[$`"\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}

function pathOf(value: JsonValue | undefined): string | undefined {
  const text = asText(value);
  if (!text?.startsWith("file://")) return text;
  try {
    return decodeURIComponent(text.slice("file://".length));
  } catch {
    return text.slice("file://".length);
  }
}

function partsOf(value: JsonValue | undefined): string {
  return asTexts(value).join("\n\n");
}

function toSnakeCase(name: string): string {
  return name
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
