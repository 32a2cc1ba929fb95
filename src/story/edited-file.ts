import type { FileChange } from "../events/changes.js";
import { relativeTo, resolvePath } from "../text/paths.js";
import type { Edit } from "./edits-of-call.js";
import type { PatchFile } from "./patch-files.js";

/** A file, and what the edits of an agent did to it so far. */
export interface EditedFile {
  path: string;
  /** The first that was said about it is its whole content, and it was not read before. */
  isNew: boolean;
  isDeleted: boolean;
  to: string | undefined;
  insertions: number;
  deletions: number;
  parts: string[];
}

/** Nothing was done to it yet. */
export function nothing(): Omit<EditedFile, "path" | "isNew"> {
  return { isDeleted: false, to: undefined, insertions: 0, deletions: 0, parts: [] };
}

export function addEdit(
  file: EditedFile,
  { kind, lines, to, isRepeated }: Edit,
  { keepsPatch, cwd }: { keepsPatch: boolean; cwd: string | undefined },
): void {
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  file.isDeleted = kind === "deleted";
  if (to !== undefined) file.to = resolvePath(to, cwd);
  if (kind === "whole" && file.isNew) {
    // The content replaces what the file had before.
    file.insertions = 0;
    file.parts = [];
  }
  if (isRepeated !== true) {
    file.insertions += count("+");
    file.deletions += count("-");
  }
  if (keepsPatch && lines.length > 0) file.parts.push(withHunks(lines, file.isNew && kind === "whole"));
}

function withHunks(lines: readonly string[], isNew: boolean): string {
  const header = isNew ? [`@@ -0,0 +1,${lines.length} @@`] : ["@@"];
  return [...(lines[0]?.startsWith("@@") ? [] : header), ...lines].join("\n");
}

export function toFileChange(file: EditedFile, cwd: string | undefined): FileChange {
  const { insertions, deletions, to } = file;
  const path = relativeTo(file.path, cwd);
  const isMoved = to !== undefined && to !== file.path;
  const numbers = { insertions, deletions };
  if (isMoved) return { path: relativeTo(to, cwd), kind: "renamed", from: path, ...numbers };
  return { path, kind: kindOf(file), ...numbers };
}

export function toPatchFile(file: EditedFile, cwd: string | undefined): PatchFile {
  return { ...toFileChange(file, cwd), text: file.parts.join("\n") };
}

function kindOf({ isNew, isDeleted }: EditedFile): FileChange["kind"] {
  if (isDeleted) return "deleted";
  return isNew ? "added" : "modified";
}

/** The files that were changed, as a patch to read. */
export function patchOf(
  files: readonly EditedFile[],
  cwd: string | undefined,
  maxCharacters: number,
): string {
  let text = "";
  for (const file of files) {
    if (file.parts.length === 0 && !file.isDeleted && file.to === undefined) continue;
    const path = relativeTo(file.path, cwd).replace(/^\//, "");
    const to = file.to === undefined ? path : relativeTo(file.to, cwd).replace(/^\//, "");
    const before = file.isNew ? "/dev/null" : `a/${path}`;
    const after = file.isDeleted ? "/dev/null" : `b/${to}`;
    const head = [`diff --git a/${path} b/${to}`, `--- ${before}`, `+++ ${after}`];
    const part = `${[...head, ...file.parts].join("\n")}\n`;
    if (text.length + part.length > maxCharacters) return text;
    text += part;
  }
  return text;
}
