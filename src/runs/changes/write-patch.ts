import { closeSync, ftruncateSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { problemOf, systemCode } from "../../errors.js";
import { makeDirectories } from "../files/make-directories.js";
import { openNew } from "../files/open-file.js";
import { badWorkspace, type GitCall, git } from "./git.js";
import type { TreeState } from "./tree-state.js";

/** A patch that is larger ends before the first file that does not fit. */
export const maxPatchBytes = 16 * 1024 * 1024;

export interface Compared {
  gitDirectory: string;
  from: TreeState;
  to: TreeState;
  /** For the call of git. */
  how?: Pick<GitCall, "env" | "signal" | "hasOwnGroup"> | undefined;
  /** True: of binary files the patch only says that they differ. */
  isTextOnly?: boolean | undefined;
}

/** What a patch changes, in numbers. */
export interface PatchNumbers {
  files: number;
  insertions: number;
  deletions: number;
  /** The patch is too large and was cut. */
  isCut?: true;
}

/** Writes what has changed from one state to another, so that `git apply` does it again. */
export async function writePatch(path: string, compared: Compared): Promise<PatchNumbers> {
  try {
    return await write(path, compared);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw badWorkspace(`${path} cannot be written: ${problemOf(error)}`, error);
  }
}

async function write(path: string, compared: Compared): Promise<PatchNumbers> {
  const { from, to } = compared;
  makeDirectories(dirname(path));
  const file = openNew(path);
  try {
    const changes = from.tree === to.tree ? nothing : await writeDifference(file, compared);
    const more = Math.max(0, to.leftOut - from.leftOut);
    return more === 0 ? changes : { ...changes, files: changes.files + more, isCut: true };
  } finally {
    closeSync(file);
  }
}

const nothing: PatchNumbers = { files: 0, insertions: 0, deletions: 0 };

async function writeDifference(file: number, compared: Compared): Promise<PatchNumbers> {
  const { gitDirectory, from, to, how, isTextOnly = false } = compared;
  const writer = createPatchWriter(file);
  const content = isTextOnly ? [] : ["--binary"];
  await git([...differences, ...content, from.tree, to.tree], {
    ...how,
    cwd: gitDirectory,
    env: { ...how?.env, GIT_DIR: gitDirectory },
    onOutput: writer.push,
  });
  return writer.end();
}

/** Plumbing, which does not follow the user's preferences for diffs. */
const differences = [
  "diff-tree",
  "-r",
  "--patch",
  "--shortstat",
  "--full-index",
  "--find-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];

interface PatchWriter {
  /** False when nothing more fits. */
  push(piece: Buffer): boolean;
  end(): PatchNumbers;
}

const fileStart = Buffer.from("\ndiff --git ");

/** Takes the output of git: a line with the numbers, an empty line, and the patch. */
function createPatchWriter(file: number): PatchWriter {
  let header = Buffer.alloc(0);
  let numbers: PatchNumbers | undefined;
  let size = 0;
  let lastFile = 0;
  /** The end of the previous piece: the beginning of a file may be cut in two. */
  let before = Buffer.alloc(0);
  let isCut = false;

  function write(piece: Buffer): boolean {
    if (piece.length === 0) return true;
    const seen = Buffer.concat([before, piece]);
    const at = seen.lastIndexOf(fileStart);
    if (at !== -1) lastFile = size - before.length + at + 1;
    before = Buffer.from(seen.subarray(Math.max(0, seen.length - fileStart.length + 1)));
    for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done);
    size += piece.length;
    if (size <= maxPatchBytes) return true;
    isCut = true;
    ftruncateSync(file, lastFile);
    return false;
  }

  return {
    push(piece) {
      if (numbers !== undefined) return write(piece);
      header = Buffer.concat([header, piece]);
      const end = header.indexOf("\n\n");
      if (end === -1) return true;
      numbers = parseNumbers(header.subarray(0, end).toString("latin1"));
      return write(header.subarray(end + 2));
    },
    end() {
      const changes = numbers ?? parseNumbers(header.toString("latin1"));
      return isCut ? { ...changes, isCut } : changes;
    },
  };
}

/** ` 3 files changed, 10 insertions(+), 2 deletions(-)`. */
function parseNumbers(line: string): PatchNumbers {
  const numberBefore = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  return {
    files: numberBefore("file"),
    insertions: numberBefore("insertion"),
    deletions: numberBefore("deletion"),
  };
}
