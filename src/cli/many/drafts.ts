import { mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { problemOf } from "../../errors.js";
import { complain } from "../complain.js";
import { createFileOutput, type FileOutput } from "../running/file-output.js";
import type { OutputFile } from "../running/output-files.js";
import type { OutputTarget } from "../running/output-targets.js";
import type { JobOutcome } from "./job.js";

type Files = readonly Required<OutputTarget>[];

/** The files of one job. They are written under other names first, so that a file with its own name is whole. */
export interface Drafts {
  open(): readonly OutputFile[];
  /** Gives the files their names. */
  keep(): Pick<JobOutcome, "files" | "bytes" | "isUnwritten">;
  discard(): void;
}

/** `signal`: writing throws once it has fired, which ends work that nobody waits for. */
export function createDrafts(files: Files, signal: AbortSignal | undefined): Drafts {
  let opened: readonly OutputFile[] = [];
  return {
    open() {
      opened = files.map(({ name, file }) => ({
        format: name,
        path: file,
        output: stoppable(openDraft(file), signal),
      }));
      return opened;
    },
    keep() {
      const sizes = opened.map(keepOne).filter((size) => size !== undefined);
      return {
        files: sizes.length,
        bytes: sizes.reduce((sum, size) => sum + size, 0),
        isUnwritten: sizes.length < opened.length,
      };
    },
    discard() {
      for (const { output } of opened) output.close();
      if (opened.length > 0) removeDrafts(files);
    },
  };
}

/** Removes what a job left behind that ended in the middle. */
export function removeDrafts(files: Files): void {
  for (const { file } of files) rmSync(draftOf(file), { force: true });
}

function draftOf(file: string): string {
  return `${file}.${process.pid}.tmp`;
}

function openDraft(file: string): FileOutput {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch {
    // Opening the file fails, too, and says why.
  }
  return createFileOutput(draftOf(file), (sentence) => complain(sentence.replace(draftOf(file), () => file)));
}

function stoppable(output: FileOutput, signal: AbortSignal | undefined): FileOutput {
  return {
    ...output,
    write(piece) {
      signal?.throwIfAborted();
      return output.write(piece);
    },
    get hasFailed() {
      return output.hasFailed;
    },
  };
}

/** The size of the file; undefined if it could not be written. */
function keepOne({ path, output }: OutputFile): number | undefined {
  output.close();
  const draft = draftOf(path);
  try {
    const { size } = statSync(draft);
    if (!output.hasFailed) renameSync(draft, path);
    else rmSync(draft, { force: true });
    return output.hasFailed ? undefined : size;
  } catch (error) {
    if (!output.hasFailed) complain(`the output file ${path} cannot be written: ${problemOf(error)}`);
    rmSync(draft, { force: true });
    return undefined;
  }
}
