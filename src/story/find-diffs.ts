import { structuredPatch } from "diff";
import type { JsonObject, JsonValue } from "../text/json.js";
import { isPatch, replacedTexts } from "./edit-fields.js";

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

function compareFields(value: JsonObject): string | undefined {
  const [before, after] = replacedTexts(value) ?? [];
  return before === undefined || after === undefined ? undefined : compare(before, after);
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
