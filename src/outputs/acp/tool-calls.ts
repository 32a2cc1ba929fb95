import type { PlannedOperation, RequestedOperation } from "../../events/live-event.js";
import { joinNameAndTask, previewTask } from "../../story/call-preview.js";
import { describeWish } from "../../story/describe-operation.js";
import { isPatch } from "../../story/edit-fields.js";
import { editsOfCall } from "../../story/edits-of-call.js";
import { cleanLine, cutText } from "../../text/cut.js";
import { firstText, isObject } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { resolvePath } from "../../text/paths.js";
import { fence } from "../markdown-fence.js";
import type { AcpLocation, AcpToolContent, AcpToolKind } from "./schema.js";

type Operation = PlannedOperation | RequestedOperation;

/** A call as an event describes it: `tool_start`, or the request for it. */
export interface DescribedCall {
  name: string;
  input?: JsonValue;
  operations?: readonly Operation[];
}

const kinds: Readonly<Record<Operation["type"], AcpToolKind>> = {
  command: "execute",
  read: "read",
  write: "edit",
  search: "search",
  list: "search",
  skill: "read",
  fetch: "fetch",
  mcp: "other",
};

export function kindOfOperation(type: Operation["type"]): AcpToolKind {
  return kinds[type];
}

/** What a call is, as a client shows it. */
export function describeToolCall(
  { name, input, operations = [] }: DescribedCall,
  cwd: string,
): {
  title: string;
  kind: AcpToolKind;
  locations: AcpLocation[];
  content: AcpToolContent[];
  rawInput?: JsonValue;
} {
  const [first] = operations;
  return {
    title: titleOf({ name, operations, ...(input !== undefined && { input }) }, cwd),
    kind: first === undefined ? kindByName(name) : kindOfOperation(first.type),
    locations: operations.flatMap((operation) => locationOf(operation, cwd)),
    content: changesOf({ name, input }, operations, cwd),
    ...(input !== undefined && { rawInput: input }),
  };
}

/** Calls that touch no file have no operations. */
const namedKinds: readonly (readonly [RegExp, AcpToolKind])[] = [
  [/fetch|web|browse|url/i, "fetch"],
  [/search|grep|glob|find/i, "search"],
  [/task|agent|think|todo|plan/i, "think"],
];

function kindByName(name: string): AcpToolKind {
  return namedKinds.find(([pattern]) => pattern.test(name))?.[1] ?? "other";
}

function titleOf({ name, input, operations = [] }: DescribedCall, cwd: string): string {
  const words = operations.map((operation) => {
    if (operation.type === "command") return operation.command;
    const { verb, object } = describeWish(operation, cwd);
    return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${object}`;
  });
  const title = words.length === 0 ? joinNameAndTask(name, previewTask(input)) : words.join(" and ");
  return cleanLine(title) || name;
}

export function locationOf(operation: Operation, cwd: string): AcpLocation[] {
  if (!("path" in operation) || operation.path === undefined) return [];
  const line = "startLine" in operation ? operation.startLine : undefined;
  return [{ path: resolvePath(operation.path, cwd), ...(line !== undefined && { line }) }];
}

/** Names of the fields for a text and its replacement, and for the whole new content of a file. */
const oldNames = ["old_string", "oldString", "old_str", "oldText", "old_text"];
const newNames = ["new_string", "newString", "new_str", "newText", "new_text"];
const wholeNames = ["content", "contents", "file_text", "fileText", "text"];
const lists = ["edits", "replacements", "changes"];

/** What a call changes: as diffs if its input has both texts, else as the patch that it is. */
function changesOf(
  { name, input }: { name: string; input: JsonValue | undefined },
  operations: readonly Operation[],
  cwd: string,
): AcpToolContent[] {
  const written = operations.flatMap((operation) =>
    operation.type === "write" ? [resolvePath(operation.path, cwd)] : [],
  );
  const [path] = written;
  if (path === undefined || !isObject(input)) return [];
  const diffs = written.length === 1 ? diffsIn(input, path) : [];
  if (diffs.length > 0) return diffs;
  const patches = Object.values(input).filter((value) => typeof value === "string" && isPatch(value));
  const changed = editsOfCall({ name, input }).map(({ lines }) => lines.join("\n"));
  const shown = patches.length > 0 ? patches : changed.filter((lines) => lines !== "");
  return shown.map((patch) => textContent(fence(String(patch), "diff")));
}

function diffsIn(input: JsonObject, path: string): AcpToolContent[] {
  const own = diffOf(input, path);
  if (own !== undefined) return [own];
  const list = lists.map((name) => input[name]).find(Array.isArray) ?? [];
  return list.flatMap((edit) => (isObject(edit) ? (diffOf(edit, path) ?? []) : []));
}

function diffOf(fields: JsonObject, path: string): AcpToolContent | undefined {
  const newText = textIn(fields, newNames);
  if (newText !== undefined) {
    const oldText = textIn(fields, oldNames);
    return oldText === undefined ? undefined : { type: "diff", path, oldText, newText };
  }
  const whole = firstText(fields, wholeNames);
  return whole === undefined ? undefined : { type: "diff", path, newText: whole };
}

/** Unlike `firstText`, an empty text counts: a replacement may be nothing. */
function textIn(fields: JsonObject, names: readonly string[]): string | undefined {
  const found = names.map((name) => fields[name]).find((text) => typeof text === "string");
  return typeof found === "string" ? found : undefined;
}

export function textContent(text: string): AcpToolContent {
  return { type: "content", content: { type: "text", text } };
}

/** The most characters of an output that a client is sent. */
export const longestOutput = 100_000;

/** What a call returned, as text. Undefined if it is not text. */
export function outputContent(output: JsonValue | undefined): AcpToolContent | undefined {
  if (typeof output !== "string" || output.trim() === "") return undefined;
  const { head, tail, omitted } = cutText(output, longestOutput);
  const gap = omitted === 0 ? "" : `\n… ${omitted} characters are left out …\n`;
  return textContent(fence(head + gap + tail));
}
