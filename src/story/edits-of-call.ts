import { isObject } from "../text/fields.js";
import type { JsonObject, JsonValue } from "../text/json.js";
import { isPatch, replacedTexts } from "./edit-fields.js";

/** What a call was to do to one file, as it says itself. */
export interface Edit {
  /** As the input spells it. Undefined: the input does not say which file. */
  path: string | undefined;
  /** `whole`: the file has this content from now on. */
  kind: "whole" | "part" | "deleted";
  /** The path that the file gets. */
  to?: string;
  /** Begin with `+`, `-`, a space or `@@`. */
  lines: string[];
  /** The replacement was made any number of times, so its lines cannot be counted. */
  isRepeated?: true;
}

/** What is known of a call. */
export interface CallContents {
  name: string;
  input: JsonValue | undefined;
  /** A diff that its result had. */
  diff?: string | undefined;
}

const pathNames = [
  "file_path",
  "filePath",
  "path",
  "absolute_path",
  "target_file",
  "TargetFile",
  "filename",
  "file",
];
const contentNames = ["content", "contents", "file_text", "fileText"];
/** Texts that replace others. Without the other one, they are inserted, or are the whole file. */
const newTextNames = ["new_text", "newText", "new_str"];
const oldTextNames = ["old_text", "oldText", "old_str"];
const placeNames = ["insert_line", "insertLine", "line"];
const repeatNames = ["replace_all", "replaceAll", "allow_multiple"];
const deepest = 5;
const deletes = /^(?:delete|remove)(?:_?file)?$/i;

/** Every edit of a call, whichever agent it is of. */
export function editsOfCall({ name, input, diff }: CallContents): Edit[] {
  const found: Edit[] = [];
  collect(input, undefined, 0, found);
  if (found.some(({ lines, kind }) => lines.length > 0 || kind !== "part")) return found;
  const path = isObject(input) ? textOf(input, pathNames) : undefined;
  if (deletes.test(name) && path !== undefined) return [{ path, kind: "deleted", lines: [] }];
  return diff === undefined ? found : editsOfPatch(diff, path);
}

const diffNames = ["diffString", "diff", "patch"];

/** A diff in the result of a call, for agents whose calls do not say what they do. */
export function diffInResult(output: JsonValue | undefined): string | undefined {
  return isObject(output) ? textOf(output, diffNames) : undefined;
}

function collect(value: JsonValue | undefined, path: string | undefined, depth: number, found: Edit[]): void {
  if (typeof value === "string") {
    if (isPatch(value)) found.push(...editsOfPatch(value, path));
    else if (searchStart.test(value.slice(0, 400))) found.push(...editsOfBlocks(value, path));
    return;
  }
  if (typeof value !== "object" || value === null || depth > deepest) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, path, depth + 1, found);
    return;
  }
  const own = textOf(value, pathNames) ?? path;
  const edit = editOf(value, own);
  if (edit !== undefined) {
    found.push(edit);
    return;
  }
  for (const [name, item] of Object.entries(value))
    collect(item, isPathLike(name) ? name : own, depth + 1, found);
}

/** The edit that the fields of one object are. */
function editOf(value: JsonObject, path: string | undefined): Edit | undefined {
  const replaced = replacedTexts(value);
  if (replaced !== undefined) {
    const isRepeated = repeatNames.some((name) => value[name] === true);
    const lines = replacedLines(...replaced);
    return { path, kind: "part", lines, ...(isRepeated && { isRepeated }) };
  }
  if (path === undefined) return undefined;
  const isInserted = placeNames.some((name) => value[name] !== undefined && value[name] !== null);
  const content = textOf(value, contentNames) ?? newTextOf(value);
  if (content !== undefined && !isPatch(content))
    return { path, kind: isInserted ? "part" : "whole", lines: signed("+", content) };
  return editOfKind(value, path);
}

function newTextOf(value: JsonObject): string | undefined {
  return textOf(value, oldTextNames) === undefined ? textOf(value, newTextNames) : undefined;
}

/** `{ path, kind: "add" }`, or `{ path, kind: { type: "add" }, diff }` with the whole content. */
function editOfKind(value: JsonObject, path: string): Edit | undefined {
  const { kind: named, diff } = value;
  const kind = isObject(named) ? named["type"] : named;
  if (kind !== "add" && kind !== "delete" && kind !== "update") return undefined;
  if (typeof diff === "string" && isPatch(diff)) return undefined;
  if (kind === "update") return { path, kind: "part", lines: [] };
  const content = typeof diff === "string" ? diff : "";
  return kind === "add"
    ? { path, kind: "whole", lines: signed("+", content) }
    : { path, kind: "deleted", lines: signed("-", content) };
}

function signed(sign: string, text: string): string[] {
  return linesOf(text).map((line) => sign + line);
}

/** The lines that differ, with three around them that do not. */
function replacedLines(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return [
    ...old.slice(Math.max(0, start - 3), start).map((line) => ` ${line}`),
    ...comparedLines(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old
      .slice(old.length - end)
      .slice(0, 3)
      .map((line) => ` ${line}`),
  ];
}

/** Longer texts are shown one after the other: a comparison takes as many steps as both have lines, multiplied. */
const maxSteps = 250_000;

/** The longest common lines stay, the others are removed and added. Without a package: the summary of a run is small. */
function comparedLines(old: readonly string[], now: readonly string[]): string[] {
  if (old.length * now.length > maxSteps)
    return [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  const width = now.length + 1;
  /** How many lines are common from here on. */
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: string[] = [];
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(` ${old[i]}`);
      i++;
      j++;
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push(`-${old[i++]}`);
    else lines.push(`+${now[j++]}`);
  }
  return lines;
}

const searchStart = /^<{5,} ?SEARCH/m;
const searchBlock = /^<{5,} ?SEARCH[^\n]*\n([\s\S]*?)^={5,}\n([\s\S]*?)^>{5,} ?REPLACE/gm;

/** Blocks of a text to search for and its replacement, some with the number of their first line. */
function editsOfBlocks(text: string, path: string | undefined): Edit[] {
  return Array.from(text.matchAll(searchBlock), ([, searched = "", replacement = ""]) => {
    const before = searched.replace(/^(?::[a-z_]+:.*\n)+(?:-{3,}\n)?/, "");
    return { path, kind: "part", lines: replacedLines(before, replacement) };
  });
}

/** Some inputs name each file by a key. */
function isPathLike(name: string): boolean {
  return name.includes("/") || /\w\.\w+$/.test(name);
}

function textOf(value: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = value[name];
    if (typeof text === "string") return text;
  }
  return undefined;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

const begins: readonly [RegExp, Edit["kind"]][] = [
  [/^\*\*\* Add File: (.+)$/, "whole"],
  [/^\*\*\* Update File: (.+)$/, "part"],
  [/^\*\*\* Delete File: (.+)$/, "deleted"],
];
const movesTo = /^\*\*\* Move to: (.+)$/;
/** Lines of a patch that are no content. */
const isHeader =
  /^(?:diff --git |index [0-9a-f]|(?:old|new|deleted|new file|deleted file) mode |similarity |rename |\\ No newline|\*\*\* )/;

/** The files of a patch, in both formats that agents use. `path`: the file, if the patch does not name it. */
export function editsOfPatch(text: string, path?: string): Edit[] {
  const edits: Edit[] = [];
  let current: Edit = { path, kind: "part", lines: [] };
  const begin = (edit: Edit): void => {
    current = edit;
    edits.push(edit);
  };
  const lines = linesOf(text);
  for (const [index, line] of lines.entries()) {
    const found = begins.flatMap(([pattern, kind]) => {
      const named = pattern.exec(line)?.[1];
      return named === undefined ? [] : [{ path: named, kind, lines: [] }];
    })[0];
    const next = lines[index + 1] ?? "";
    const moved = movesTo.exec(line)?.[1];
    if (found !== undefined) begin(found);
    else if (moved !== undefined) current.to = moved;
    else if (line.startsWith("--- ") && next.startsWith("+++ ")) begin(editOfHeader(line, next));
    else if (line.startsWith("+++ ") && lines[index - 1]?.startsWith("--- ")) continue;
    else if (/^[-+ ]|^@@/.test(line) && !isHeader.test(line)) {
      if (!edits.includes(current)) edits.push(current);
      current.lines.push(line);
    }
  }
  return edits;
}

function editOfHeader(before: string, after: string): Edit {
  const [from, to] = [nameIn(before), nameIn(after)];
  if (to === "/dev/null") return { path: from, kind: "deleted", lines: [] };
  if (from === "/dev/null") return { path: to, kind: "whole", lines: [] };
  return { path: from, kind: "part", lines: [], ...(from !== to && { to }) };
}

/** `--- a/src/x.ts` with a time after a tab. */
function nameIn(header: string): string {
  return (header.slice(4).split("\t")[0] ?? "").replace(/^[ab]\//, "");
}
