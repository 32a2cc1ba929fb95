import type { Failure } from "../../events/failure.js";
import type { Cell, CellResult, Retry } from "../model/cell.js";
import type { CheckedPlan } from "../model/plan.js";
import type { Source } from "../model/source.js";
import type { Blob } from "./shelf.js";

/** What a batch and its workers agree on: the shape of everything below. Another shape has another number. */
export const queueProtocol = 1;

/** Every key of BullMQ begins with this. */
export const queuePrefix = "harness:queue";

/**
 * One queue for each agent. The version is in the name, so a worker of another version never takes a cell: its results could
 * not be compared.
 */
export function queueName(version: string, agent: string): string {
  return `harness-${queueProtocol}-${version}-${agent}`;
}

/** The same for every attempt, so a cell that is added twice is one job. */
export function jobIdOf(batchId: string, cellId: string): string {
  return `${batchId}-${cellId}`;
}

/** The data of a job. What all cells of a batch have in common is in its head. */
export interface CellJob {
  batchId: string;
  cell: Cell;
  /** Earlier attempts that the batch knows of, if Redis has lost them. */
  before?: readonly AttemptNote[] | undefined;
}

/**
 * The progress of a job: every attempt that counts, in order. The worker writes it, the next worker goes on from it, and the batch
 * reads it. So nobody needs to have seen an event.
 */
export interface CellProgress {
  attempts: readonly AttemptNote[];
}

export interface AttemptNote {
  runId: string;
  /** From 1. */
  attempt: number;
  worker: string;
  /** Why it did not count. Absent while it runs, and if its worker died. */
  retry?: { failure: Failure; until: string; costUsd?: number | undefined } | undefined;
}

/** What a job returns. */
export interface CellEnd {
  result: CellResult;
  files: readonly ShippedFile[];
  /** Files that the shelf does not take, each as a sentence. */
  problems: readonly string[];
}

/** A file of the attempt, on the shelf. */
export interface ShippedFile {
  name: ShippedName;
  blob: Blob;
}

/** The files of the cell and the recording of the run. A recording is listed once its sidecar is there, so it is the last. */
export const shippedNames = [
  "changes.patch",
  "setup.log",
  "check.log",
  "raw",
  "events",
  "ndjson",
  "meta",
] as const;
export type ShippedName = (typeof shippedNames)[number];

/** What workers need besides the cells. Everybody who can read Redis can read it. */
export interface BatchHead {
  batchId: string;
  plan: Omit<CheckedPlan, "tasks" | "arms">;
  /** By the ids of the tasks. */
  sources: Readonly<Record<string, { source: Source; packed?: Blob | undefined }>>;
  /** The address of the shelf, without credentials. */
  shelf: string;
}

/** How the keys are named that are not BullMQ's. */
export const keys = {
  head: (batchId: string) => `harness:head:${batchId}`,
  cancelled: (batchId: string) => `harness:cancelled:${batchId}`,
  /** Ids of batches are published here when they are cancelled. */
  cancelChannel: "harness:cancel",
  stream: (runId: string) => `harness:events:${runId}`,
  chunk: (name: string, index: number) => `harness:shelf:${name}:${index}`,
} as const;

/** Heads and cancellations are kept for this long after they were last renewed. */
export const keptSeconds = 24 * 60 * 60;

/** The retries of a cell so far, as its result lists them. */
export function retriesOf(attempts: readonly AttemptNote[]): Retry[] {
  return attempts.flatMap(({ runId, retry }) =>
    retry === undefined ? [] : [{ runId, failure: retry.failure, until: retry.until }],
  );
}
