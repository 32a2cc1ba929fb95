import type { Cell, CellResult } from "./model/cell.js";
import type { RetryingLine } from "./model/ledger-line.js";

/** Carries out cells: in this process, or through a queue. Concurrency, delays and retries are its own. */
export interface Executor {
  /** Resolves when every cell has ended or was refused by `mayStart`, and nothing runs any more. */
  run(cells: readonly Cell[], host: ExecutorHost): Promise<void>;
  /** Stops what runs, and starts nothing more. `run` resolves soon after. A second time: kills. */
  cancel(): void;
}

/**
 * What the batch does with what happens. When a call returns, its line is written and survives the end of this process. The batch
 * reports a line only when it is synced to the disk, so that nothing counts that a power cut could take back.
 */
export interface ExecutorHost {
  /**
   * True: not yet, because a budget needs the cost of what is under way. Ask again when a cell has ended. It is never true while
   * nothing is under way. An executor that does not ask may exceed a budget by the runs that it gives out at once.
   */
  mustWait(cell: Cell): boolean;
  /**
   * Asked just before a cell is started or given out. False: it is not started, because the budget is spent, its agent was stopped or
   * the batch is being cancelled. The batch has noted why.
   */
  mayStart(cell: Cell): boolean;
  started(cell: Cell, attempt: { attempt: number; runId: string; worker?: string | undefined }): void;
  retrying(cell: Cell, attempt: Omit<RetryingLine, "type" | "at" | "cellId">): void;
  done(cell: Cell, result: CellResult): void;
}
