import { structuredPatch } from "diff";
import type { JsonObject, JsonValue } from "../text/json.js";

/** Names of the input fields for a text and its replacement. */
const pairs: readonly (readonly [string, string])[] = [
  ["old_string", "new_string"],
  ["oldString", "newString"],
  ["old_str", "new_str"],
  ["oldText", "newText"],
  ["old_text", "new_text"],
];

/** Above this many changed lines, the two texts are shown one after the other. */
const maxEditLength = 1000;
const longestCompared = 200_000;
const deepest = 3;

/**
 * Every change in a tool's input or output: patches as they are, and a comparison of replaced texts. Lines begin
 * with `+`, `-` or a space.
 */
export function findDiffs(value: JsonValue | undefined): string[] {
  const found: string[] = [];
  collect(value, 0, found);
  return found;
}

function collect(value: JsonValue | undefined, depth: number, found: string[]): void {
  if (typeof value === "string") {
    if (isPatch(value)) found.push(value);
    return;
  }
  if (typeof value !== "object" || value === null || depth > deepest) return;
  if (!Array.isArray(value)) {
    const diff = compareFields(value);
    if (diff !== undefined) {
      if (diff !== "") found.push(diff);
      return;
    }
  }
  for (const item of Object.values(value)) collect(item, depth + 1, found);
}

/** What one object says about a text and its replacement. Undefined if it does not. */
export function compareFields(value: JsonObject): string | undefined {
  for (const [oldName, newName] of pairs) {
    const before = value[oldName];
    const after = value[newName];
    if (typeof before === "string" && typeof after === "string") return compare(before, after);
  }
  return undefined;
}

function compare(before: string, after: string): string {
  const isLong = before.length + after.length > longestCompared;
  const patch = isLong
    ? undefined
    : structuredPatch("", "", withFinalNewline(before), withFinalNewline(after), "", "", {
        context: 3,
        maxEditLength,
      });
  if (patch === undefined) return [...prefixed("-", before), ...prefixed("+", after)].join("\n");
  return patch.hunks.map((hunk) => hunk.lines.join("\n")).join("\n@@\n");
}

function prefixed(prefix: string, text: string): string[] {
  return text === "" ? [] : text.split("\n").map((line) => prefix + line);
}

/** Pieces of a file rarely end with a line feed. That is not a change. */
function withFinalNewline(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

const patchStart = /^(?:diff --git |\*\*\* Begin Patch|@@ -\d+|--- [^\n]+\n\+\+\+ )/m;

/** Only the first lines count: a patch further down is part of a longer output. */
export function isPatch(text: string): boolean {
  return patchStart.test(text.slice(0, 400));
}
