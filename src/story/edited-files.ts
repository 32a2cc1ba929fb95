import type { JsonValue } from "../text/json.js";
import { relativeTo } from "../text/paths.js";
import { findDiffs } from "./find-diffs.js";
import { hasFailed } from "./outcomes.js";
import { countLines, type PatchFile } from "./patch-files.js";
import type { CallItem, Item } from "./timeline/items.js";

/** What the agent's edits said, file by file. It is all that is known without git: what commands changed is not in it. */
export function editedFiles(items: readonly Item[], cwd: string | undefined): PatchFile[] {
  const texts = new Map<string, string[]>();
  collect(items, cwd, texts);
  return Array.from(texts, ([path, parts]) => {
    const text = parts.filter((part) => part !== "").join("\n@@\n");
    return { path, kind: "modified" as const, ...countLines(text), text };
  }).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function collect(items: readonly Item[], cwd: string | undefined, texts: Map<string, string[]>): void {
  for (const item of items) {
    if (item.kind === "operation" && item.operation.type === "write" && !hasFailed(item.operation))
      add(texts, relativeTo(item.operation.path, cwd), "");
    if (item.kind !== "call") continue;
    if (item.isRefused !== true) addCall(item, cwd, texts);
    collect(item.children, cwd, texts);
  }
}

function addCall(call: CallItem, cwd: string | undefined, texts: Map<string, string[]>): void {
  const paths = call.operations.flatMap((event) =>
    event.type === "write" && !hasFailed(event) ? [relativeTo(event.path, cwd)] : [],
  );
  if (paths.length === 0) return;
  const text = textOf(call);
  for (const path of new Set(paths)) add(texts, path, paths.length === 1 ? text : partOf(text, path));
}

/** A live page asks again and again. */
const known = new WeakMap<CallItem, { input: unknown; output: unknown; text: string }>();

function textOf(call: CallItem): string {
  const { input, output } = call;
  const before = known.get(call);
  if (before !== undefined && before.input === input && before.output === output) return before.text;
  const text = findText(call);
  known.set(call, { input, output, text });
  return text;
}

function findText({ input, output }: CallItem): string {
  const [first, ...rest] = findDiffs(input);
  if (first !== undefined) return [first, ...rest].join("\n@@\n");
  return wholeText(input) ?? findDiffs(output).join("\n@@\n");
}

/** Names of input fields with the whole text of a written file. */
const wholeTextFields = ["content", "file_text", "contents", "text"];

function wholeText(input: JsonValue | undefined): string | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const fields: { [name: string]: JsonValue | undefined } = { ...input };
  for (const name of wholeTextFields) {
    const text = fields[name];
    if (typeof text === "string") return text.replace(/\n$/, "").replace(/^/gm, "+");
  }
  return undefined;
}

/** A patch in Codex's form names its files: `*** Update File: src/app.ts`. */
function partOf(patch: string, path: string): string {
  const parts = patch.split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m);
  return parts.find((part) => (part.split("\n")[0] ?? "").trimEnd().endsWith(path)) ?? "";
}

function add(texts: Map<string, string[]>, path: string, text: string): void {
  const known = texts.get(path);
  if (known === undefined) texts.set(path, [text]);
  else known.push(text);
}
