import type { JsonObject, JsonValue } from "../text/json.js";
import { isPatch, replacedTexts } from "./edit-fields.js";

/** What a call was to do to one file, as its input says. */
export interface Edit {
  /** As the input spells it. Undefined: the input does not say which file. */
  path: string | undefined;
  /** `whole`: the file has this content from now on. */
  kind: "whole" | "part" | "deleted";
  /** The path that the file gets. */
  to?: string;
  /** Begin with `+`, `-`, a space or `@@`. */
  lines: string[];
}

const pathNames = ["file_path", "filePath", "path", "absolute_path", "target_file", "filename", "file"];
const contentNames = ["content", "contents", "file_text", "fileText"];
const deepest = 5;

/** Every edit in the input of a call, whichever agent it is of. */
export function editsOfCall(input: JsonValue | undefined): Edit[] {
  const found: Edit[] = [];
  collect(input, undefined, 0, found);
  return found;
}

function collect(value: JsonValue | undefined, path: string | undefined, depth: number, found: Edit[]): void {
  if (typeof value === "string") {
    if (isPatch(value)) found.push(...editsOfPatch(value, path));
    return;
  }
  if (typeof value !== "object" || value === null || depth > deepest) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, path, depth + 1, found);
    return;
  }
  const own = textOf(value, pathNames) ?? path;
  const replaced = replacedTexts(value);
  if (replaced !== undefined) {
    found.push({ path: own, kind: "part", lines: replacedLines(...replaced) });
    return;
  }
  const content = own === undefined ? undefined : textOf(value, contentNames);
  if (content !== undefined && !isPatch(content)) {
    found.push({ path: own, kind: "whole", lines: linesOf(content).map((line) => `+${line}`) });
    return;
  }
  for (const [name, item] of Object.entries(value))
    collect(item, isPathLike(name) ? name : own, depth + 1, found);
}

/** The lines that differ, between those at the beginning and the end that do not. Quick, and without a package. */
function replacedLines(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return [
    ...old.slice(Math.max(0, start - 3), start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
    ...old
      .slice(old.length - end)
      .slice(0, 3)
      .map((line) => ` ${line}`),
  ];
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
