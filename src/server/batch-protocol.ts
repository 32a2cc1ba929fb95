import type { CellStatus } from "../batch/model/batch-state.js";
import type { CellResult, CellVerdict } from "../batch/model/cell.js";
import type { EndedLine } from "../batch/model/ledger-line.js";
import type { BatchReport } from "../batch/report/schema.js";
import type { CostSource } from "../story/run-summary.js";

/** The messages about batches between the server and the page. Types only, as in `protocol.ts`. */

/** What a square of the grid shows: the verdict of a cell that is done, or else its status. */
export type CellSign = Exclude<CellStatus, "done"> | CellVerdict;

/** How a batch stands. `interrupted`: its harness was killed. */
export type BatchPhase = "running" | EndedLine["reason"] | "interrupted";

/** One batch in the list. */
export interface BatchRow {
  id: string;
  name: string;
  phase: BatchPhase;
  startedAt: string;
  /** When the ledger was written last, if the batch does not run. */
  endedAt?: string;
  tasks: number;
  arms: number;
  repeats: number;
  /** How many cells have each sign. */
  counts: Record<CellSign, number>;
  /** Of all attempts whose cost is known. */
  costUsd: number;
  budgetUsd?: number;
}

/** A batch that cannot be read, and why. */
export interface UnreadableBatch {
  id: string;
  message: string;
}

/** `GET /api/batches`, and message `list` of `GET /api/batches/live`. */
export interface BatchList {
  /** Newest first. */
  batches: BatchRow[];
  unreadable: UnreadableBatch[];
  directory: string;
  /** False: ledgers are still being read. Another `list` follows. */
  isAll: boolean;
}

/** Message `change` of `GET /api/batches/live`. */
export interface BatchesChange {
  changed: BatchRow[];
  removed: string[];
}

/** Message `batch` of a batch's stream: sent first, and again if its ledger was replaced. All cells follow. */
export interface BatchAbout {
  row: BatchRow;
  directory: string;
  tasks: BatchTaskAbout[];
  arms: BatchArmAbout[];
  isolated: boolean;
  concurrency: number;
}

export interface BatchTaskAbout {
  id: string;
  /** The beginning of the prompt, if it is long. */
  prompt: string;
  setup?: string;
  check?: string;
  /** What the workspaces are made from. */
  source: string;
}

export interface BatchArmAbout {
  id: string;
  agent: string;
  model?: string;
  /** Its options in words: `effort: high`. */
  options: string[];
}

/** One cell of the grid. `task` and `arm` are positions in the lists of `BatchAbout`. */
export interface CellRow {
  id: string;
  task: number;
  arm: number;
  /** From 1. */
  repetition: number;
  sign: CellSign;
  attempts?: number;
  /** Of the latest attempt. */
  runId?: string;
  worker?: string;
  startedAt?: string;
  endedAt?: string;
  /** When a cell that is `retrying` is tried again. */
  until?: string;
  /** Why it is not `passed`, in one line. */
  reason?: string;
  costUsd?: number;
  costSource?: CostSource;
}

/** Message `cells` of a batch's stream: cells that are new or have changed. */
export interface CellsMessage {
  cells: CellRow[];
}

/** Message `row` of a batch's stream. */
export interface BatchRowMessage {
  row: BatchRow;
  /** Agents that were stopped, and why. */
  stopped: { agent: string; message: string }[];
  /** What is wrong with the ledger. */
  problems: string[];
}

/** Message `report` of a batch's stream: the figures so far. */
export type ReportMessage = Pick<BatchReport, "arms" | "comparisons" | "confounds" | "notes">;

/** `GET /api/batches/ID/cells/CELL`. */
export interface CellDetail {
  row: CellRow;
  /** Long texts in it are cut. */
  result?: CellResult;
  files: CellFileAbout[];
}

export type CellFileName = "changes.patch" | "check.log" | "setup.log";

export interface CellFileAbout {
  name: CellFileName;
  /** In bytes. */
  size: number;
}

/** `GET /api/batches/ID/cells/CELL/files/NAME`. */
export interface CellFileText {
  /** The beginning. */
  head: string;
  /** The end, if the file is too long to be sent whole. */
  tail: string;
  /** Bytes between them that were not sent. */
  omitted: number;
}
