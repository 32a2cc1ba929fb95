import type { ActionFields, FileChange } from "../actions.js";

/** Changes in the `*** Begin Patch` format that several agents share. */
export function toPatchText(changes: readonly FileChange[]): string {
  return ["*** Begin Patch", ...changes.flatMap(toLines), "*** End Patch"].join("\n");
}

export function patchOf(action: ActionFields["patch"]): string {
  return toPatchText(action.changes);
}

export function editPatch({ path, oldText, newText }: ActionFields["editFile"]): string {
  return toPatchText([{ kind: "update", path, edits: [{ oldText, newText }] }]);
}

export function writePatch({ path, content }: ActionFields["writeFile"]): string {
  return toPatchText([{ kind: "add", path, content }]);
}

function toLines(change: FileChange): string[] {
  if (change.kind === "delete") return [`*** Delete File: ${change.path}`];
  if (change.kind === "add") return [`*** Add File: ${change.path}`, ...prefixed("+", change.content)];
  return [
    `*** Update File: ${change.path}`,
    ...(change.moveTo === undefined ? [] : [`*** Move to: ${change.moveTo}`]),
    ...change.edits.flatMap(({ oldText, newText }) => [
      "@@",
      ...prefixed("-", oldText),
      ...prefixed("+", newText),
    ]),
  ];
}

function prefixed(sign: string, text: string): string[] {
  if (text === "") return [];
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => sign + line);
}
