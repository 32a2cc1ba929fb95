import type { Failure } from "../../events/failure.js";
import type { CellResult } from "./cell.js";
import type { CheckedPlan } from "./plan.js";
import type { Source } from "./source.js";

/**
 * The ledger of a batch (`batch.jsonl`): append-only, one line per change of a cell, on disk before the change counts. It is
 * also what `for await (const event of batch)` gives.
 */
export type LedgerLine =
  | BatchLine
  | StartedLine
  | RetryingLine
  | DoneLine
  | SkippedLine
  | StoppedAgentLine
  | ResumedLine
  | EndedLine;

/** The first line: everything that is needed to go on with the batch. */
export interface BatchLine {
  type: "batch";
  at: string;
  version: 1;
  batchId: string;
  /** The version of harness. */
  harness: string;
  plan: CheckedPlan;
  /** What each task's workspace was when the batch began, by the task's id. */
  sources: Readonly<Record<string, Source>>;
  /** A hash of each arm as it was resolved, with your configuration and the content of its `home`, by the arm's id. */
  arms: Readonly<Record<string, string>>;
  cells: number;
  /** Where the workspaces are, if that is not the batch's own directory. */
  work?: string | undefined;
}

/** An attempt at a cell begins. */
export interface StartedLine {
  type: "started";
  at: string;
  cellId: string;
  attempt: number;
  runId: string;
  worker?: string | undefined;
}

/** An attempt failed temporarily. The cell waits for the next one. */
export interface RetryingLine {
  type: "retrying";
  at: string;
  cellId: string;
  attempt: number;
  runId: string;
  failure: Failure;
  until: string;
  /** What the attempt cost, if that is known. */
  costUsd?: number | undefined;
}

/** The cell has its result. Only one such line counts for each cell: the last with a verdict other than `error`, else the last. */
export type DoneLine = { type: "done"; at: string } & CellResult;

/** The cell is not run: its agent was stopped. On resume it is tried again. */
export interface SkippedLine {
  type: "skipped";
  at: string;
  cellId: string;
  reason: string;
}

/** The first cells of an agent all failed for a reason that will not pass. */
export interface StoppedAgentLine {
  type: "agent_stopped";
  at: string;
  agent: string;
  failure: Failure;
}

export interface ResumedLine {
  type: "resumed";
  at: string;
  harness: string;
}

/** Nothing runs any more. `budget`, `cancelled`: cells are missing. A batch that was killed has no such line. */
export interface EndedLine {
  type: "ended";
  at: string;
  reason: "completed" | "budget" | "cancelled";
}
