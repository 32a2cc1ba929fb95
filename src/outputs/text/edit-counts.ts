import { findDiffs } from "../../story/find-diffs.js";
import { isObject } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";

/** How many lines an edit added and removed, or how many lines a file was written with. */
export type EditCount = { added: number; removed: number } | { lines: number };

/** A call that edits files, as far as its lines can be counted. */
export interface EditCall {
  input: JsonValue | undefined;
  output: JsonValue | undefined;
  /** How many files it was to edit. */
  files: number;
}

/** Counts the lines of one file that a call edited. Undefined if the call does not say it. */
export function countEdit({ input, output, files }: EditCall, path: string): EditCount | undefined {
  if (isObject(input) && replacesAll(input)) return undefined;
  const diffs = findDiffs(input);
  const found = diffs.length > 0 ? diffs : findDiffs(output);
  if (found.length === 0) return files === 1 ? countWritten(input, output) : undefined;
  const sections = found.flatMap(sectionsOf);
  const own = sections.filter((section) => isSameFile(path, section.path));
  if (own.length > 0) return sumOf(own);
  return files === 1 ? sumOf(sections) : undefined;
}

/** The replaced text may occur any number of times. */
function replacesAll(input: JsonObject): boolean {
  return ["replace_all", "replaceAll", "allow_multiple"].some((name) => input[name] === true);
}

const contentFields = ["content", "contents", "file_text", "fileText", "text"];

/** A file that was written as a whole. All of its lines are new if the agent says that it was created. */
function countWritten(input: JsonValue | undefined, output: JsonValue | undefined): EditCount | undefined {
  if (!isObject(input)) return undefined;
  const content = contentFields.map((name) => input[name]).find((value) => typeof value === "string");
  if (typeof content !== "string") return undefined;
  const lines = content === "" ? 0 : content.replace(/\n$/, "").split("\n").length;
  const isNew = typeof output === "string" && /\bcreated\b|\bnew file\b/i.test(output.slice(0, 200));
  return isNew ? { added: lines, removed: 0 } : { lines };
}

/** The part of a patch that is about one file. */
interface Section {
  /** Undefined in a patch without file names. */
  path: string | undefined;
  added: number;
  removed: number;
}

const fileHeader = /^(?:\*\*\* (?:Add|Update|Delete) File: |diff --git .* b\/|\+\+\+ (?:b\/)?)(.+)$/;

function sectionsOf(patch: string): Section[] {
  const sections: Section[] = [];
  let current: Section = { path: undefined, added: 0, removed: 0 };
  const lines = patch.split("\n");
  for (const [index, line] of lines.entries()) {
    const path = fileHeader.exec(line)?.[1];
    if (path !== undefined) {
      if (current.path === path) continue;
      current = { path, added: 0, removed: 0 };
      sections.push(current);
    } else if (line.startsWith("--- ") && lines[index + 1]?.startsWith("+++ ")) continue;
    else if (line.startsWith("+")) current.added += 1;
    else if (line.startsWith("-")) current.removed += 1;
  }
  return sections.length === 0 ? [current] : sections;
}

function isSameFile(path: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  return path === other || path.endsWith(`/${other}`) || other.endsWith(`/${path}`);
}

/** Undefined if no line changed: the file was moved or deleted. */
function sumOf(sections: readonly Section[]): EditCount | undefined {
  const added = sections.reduce((sum, section) => sum + section.added, 0);
  const removed = sections.reduce((sum, section) => sum + section.removed, 0);
  return added + removed === 0 ? undefined : { added, removed };
}
