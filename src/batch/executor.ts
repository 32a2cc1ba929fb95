import type { Cell, CellResult } from "./model/cell.js";
import type { RetryingLine } from "./model/ledger-line.js";

/** Carries out cells: in this process, or through a queue. Concurrency, delays and retries are its own. */
export interface Executor {
  /** Resolves when every cell has ended or was refused by `mayStart`, and nothing runs any more. */
  run(cells: readonly Cell[], host: ExecutorHost): Promise<void>;
  /** Stops what runs, and starts nothing more. `run` resolves soon after. A second time: kills. */
  cancel(): void;
}

/** What the batch does with what happens. Each call has returned only after its line is on disk. */
export interface ExecutorHost {
  /**
   * Asked just before a cell is started or given out. False: it is not started, because the budget is spent, its agent was stopped or
   * the batch is being cancelled. The batch has noted why.
   */
  mayStart(cell: Cell): boolean;
  started(cell: Cell, attempt: { attempt: number; runId: string; worker?: string | undefined }): void;
  retrying(cell: Cell, attempt: Omit<RetryingLine, "type" | "at" | "cellId">): void;
  done(cell: Cell, result: CellResult): void;
}
