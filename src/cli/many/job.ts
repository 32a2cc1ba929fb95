import { isHarnessError, messageOf } from "../../errors.js";
import { divertComplaints } from "../complain.js";
import type { PrintTarget } from "../output.js";
import type { OutputFile } from "../running/output-files.js";
import type { OutputTarget } from "../running/output-targets.js";
import { createDrafts } from "./drafts.js";

/** One run of many: a log to translate, a recording to export. It is sent to workers, so it holds data only. */
export interface RunJob<Given> {
  /** What people call it: a path, or an id. */
  name: string;
  given: Given;
  /** The files that are its own. Their directories need not exist. */
  files: readonly Required<OutputTarget>[];
}

/** Where a job prints to. */
export interface JobPlace {
  /** Its part of standard output. */
  output: PrintTarget;
  /** Opens its files. Called once the job knows that there is something to write. */
  openFiles(): readonly OutputFile[];
}

/** Carries out one job. Throws if it cannot be done: that fails this job alone. */
export type Work<Given> = (given: Given, place: JobPlace) => Promise<void>;

/** What became of a job. */
export interface JobOutcome {
  /** What it complained about, in order. */
  complaints: readonly string[];
  /** Why it could not be done. */
  problem?: string;
  /** How many files were written, and their size. */
  files: number;
  bytes: number;
  /** True if one of its files could not be written, which is among the complaints. */
  isUnwritten: boolean;
}

/** The outcome of a job that could not be done. */
export function failedBy(problem: string, complaints: readonly string[] = []): JobOutcome {
  return { complaints, problem, files: 0, bytes: 0, isUnwritten: false };
}

/** Carries out a job in this thread. Never rejects. Its files appear when all of it is done, and not at all if it fails or `signal` fires. */
export async function doJob<Given>(
  work: Work<Given>,
  { name, given, files }: RunJob<Given>,
  { output, signal }: { output: PrintTarget; signal?: AbortSignal | undefined },
): Promise<JobOutcome> {
  const complaints: string[] = [];
  const restore = divertComplaints((sentence) => complaints.push(sentence));
  const drafts = createDrafts(files, signal);
  try {
    await work(given, { output, openFiles: drafts.open });
    signal?.throwIfAborted();
    return { complaints, ...drafts.keep() };
  } catch (error) {
    drafts.discard();
    return failedBy(isHarnessError(error) ? error.message : `${name}: ${messageOf(error)}`, complaints);
  } finally {
    restore();
  }
}
