import type { Cell } from "../../src/batch/model/cell.js";
import type { BatchLine, EndedLine } from "../../src/batch/model/ledger-line.js";

/** Fields of a line that differ from the usual ones. */
export interface WrittenLine {
  type: "started" | "retrying" | "done" | "skipped" | "resumed" | "agent_stopped" | "ended";
  [field: string]: unknown;
}

export interface WrittenBatch {
  directory: string;
  cells: Cell[];
  append(cell: Cell | undefined, ...lines: WrittenLine[]): void;
  appendText(text: string): void;
  writeFile(cell: Cell, name: string, text: string): void;
}

export function writeBatch(options: {
  /** The directory of all batches. */
  batches: string;
  id: string;
  makeCells: (head: BatchLine) => Cell[];
  plan: {
    name?: string;
    tasks: readonly { id: string; [field: string]: unknown }[];
    arms: readonly { agent: string; model?: string; [field: string]: unknown }[];
    repeats?: number;
    budgetUsd?: number;
  };
  outcomeOf?: (cell: Cell, index: number) => readonly WrittenLine[];
  startedAt?: string;
  /** The test itself holds the lock. */
  isRunning?: boolean;
  end?: EndedLine["reason"];
}): WrittenBatch;
