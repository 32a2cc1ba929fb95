import type { FileChange } from "../../../src/events/changes.js";
import type { PatchFile } from "../../../src/story/patch-files.js";
import type { ChangedFiles } from "../../../src/story/run-summary.js";
import type { RunModel } from "./run-model.js";

/** Which files a run has changed so far, and by how many lines. */
export interface ChangedSoFar {
  /** `git`: the patch has the lines. `edits`: `files` has them, as far as the agent's edits say. */
  source: ChangedFiles["source"];
  root: string;
  files: readonly (FileChange | PatchFile)[];
  insertions: number;
  deletions: number;
  moreFiles: number;
  isCut: boolean;
}

/** What git says at the end of the run or of a turn, else what the edits say. */
export function changesSoFar(model: RunModel, cwd: string): ChangedSoFar {
  const known = model.summary().changes;
  if (known?.source === "git") {
    const { root = cwd, files, insertions, deletions, moreFiles = 0, isCut = false } = known;
    return { source: "git", root, files, insertions, deletions, moreFiles, isCut };
  }
  const files = model.edits();
  return {
    source: "edits",
    root: cwd,
    files,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    moreFiles: 0,
    isCut: false,
  };
}

/** One line of the list of all diffs. */
export type DiffRow =
  | { kind: "file"; file: PatchFile }
  | { kind: "line"; sign: string; text: string; number?: number; path: string };

/** A list of more lines would make the page slow. */
export const mostLines = 200_000;
const longestLine = 2_000;

/** The diffs of all files as one flat list, with the numbers that the lines have now, or had before they were removed. */
export function toDiffRows(files: readonly PatchFile[]): { rows: DiffRow[]; isCut: boolean } {
  const rows: DiffRow[] = [];
  for (const file of files) {
    rows.push({ kind: "file", file });
    if (rows.length >= mostLines) return { rows, isCut: true };
    addLines(rows, file);
  }
  return { rows, isCut: rows.length >= mostLines };
}

function addLines(rows: DiffRow[], { path, text }: PatchFile): void {
  let before: number | undefined;
  let after: number | undefined;
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  for (const line of lines) {
    if (rows.length >= mostLines) return;
    const sign = line.charAt(0);
    const hunk = sign === "@" ? /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line) : null;
    if (sign === "@") {
      before = hunk === null ? undefined : Number(hunk[1]);
      after = hunk === null ? undefined : Number(hunk[2]);
    }
    const number = sign === "-" ? before : sign === "+" || sign === " " ? after : undefined;
    rows.push({
      kind: "line",
      sign,
      path,
      text: line.slice(0, longestLine),
      ...(number !== undefined && { number }),
    });
    if (before !== undefined && (sign === "-" || sign === " ")) before += 1;
    if (after !== undefined && (sign === "+" || sign === " ")) after += 1;
  }
}
