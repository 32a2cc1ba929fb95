import type { JsonObject } from "../text/json.js";

/** Names of the input fields for a text and its replacement. */
const pairs: readonly (readonly [string, string])[] = [
  ["old_string", "new_string"],
  ["oldString", "newString"],
  ["old_str", "new_str"],
  ["oldText", "newText"],
  ["old_text", "new_text"],
];
/** Words that mean this only in a call that names a file. */
const pairsOfFile: readonly (readonly [string, string])[] = [
  ["before", "after"],
  ["search", "replace"],
];

/** A text and its replacement, if an object has both. */
export function replacedTexts(value: JsonObject): readonly [string, string] | undefined {
  const isOfFile = typeof value["path"] === "string";
  for (const [oldName, newName] of isOfFile ? [...pairs, ...pairsOfFile] : pairs) {
    const before = value[oldName];
    const after = value[newName];
    if (typeof before === "string" && typeof after === "string") return [before, after];
  }
  return undefined;
}

const patchStart = /^(?:diff --git |\*\*\* Begin Patch|@@ -\d+|--- [^\n]+\n\+\+\+ )/m;

/** Only the first lines count: a patch further down is part of a longer output. */
export function isPatch(text: string): boolean {
  return patchStart.test(text.slice(0, 400));
}
