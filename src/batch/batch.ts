import type { AgentDefinition } from "../agents/definition.js";
import type { FindPrice } from "../models/find-price.js";
import type { Executor } from "./executor.js";
import type { BatchState } from "./model/batch-state.js";
import type { LedgerLine } from "./model/ledger-line.js";
import type { BatchPlan, CheckedArm, CheckedPlan } from "./model/plan.js";
import type { Source } from "./model/source.js";
import type { BatchPlaces } from "./places.js";
import type { BatchReport } from "./report/schema.js";

/**
 * A batch under way. Iterating gives the lines of its ledger as they come, beginning with the first of this process. They are read
 * back from the disk, so a slow reader neither slows the batch nor fills the memory, and there may be several readers.
 */
export interface Batch extends AsyncIterable<LedgerLine> {
  readonly batchId: string;
  readonly directory: string;
  /** Every cell, and what became of it so far. */
  readonly state: BatchState;
  /** What came out of it so far. It is computed when it is asked for. */
  readonly report: BatchReport;
  /** Resolves when nothing runs any more, and never rejects. */
  readonly result: Promise<BatchState>;
  /** Sentences about what limits the result, such as changes in a repository that are not committed. There may be more later. */
  readonly warnings: readonly string[];
  /** Why the batch stops early: its ledger cannot be written any more. `resumeBatch` goes on once it can. */
  readonly problem: string | undefined;
  /** Stops what runs, and starts nothing more. A second time: kills. */
  cancel(): void;
}

/** How a batch is carried out, besides its plan. */
export interface BatchOptions {
  /** Where batches are kept. Default: the user's data directory. */
  batchesDirectory?: string | undefined;
  /** Where the recordings of the runs are kept. Default: the user's data directory. */
  sessionsDirectory?: string | undefined;
  /** Where workspaces are made, in a directory of the batch's own. Default: in the batch's directory, or in the one for temporary files if that is below the user's home. */
  workDirectory?: string | undefined;
  /** Workspaces stay after their runs. */
  keep?: boolean | undefined;
  /** Only these tasks and arms, by their ids. */
  only?: readonly string[] | undefined;
  /** Finds the agent of an arm, and what your configuration says about it. Default: the built-in agents. */
  resolveArm?: ResolveArm | undefined;
  /** Who carries out the cells. Default: this process. A function gets the batch, once its id and its sources are known. */
  executor?: Executor | ((batch: BatchToCarryOut) => Promise<Executor>) | undefined;
  /** Cancels the batch. */
  signal?: AbortSignal | undefined;
  /** For `resumeBatch`: replaces what the plan says. */
  plan?: Pick<BatchPlan, "concurrency" | "limits" | "budgetUsd" | "retries"> | undefined;
}

/** What an executor outside of this process must know about a batch. */
export interface BatchToCarryOut {
  batchId: string;
  plan: CheckedPlan;
  /** By the ids of the tasks. */
  sources: Readonly<Record<string, Source>>;
  places: BatchPlaces;
}

/** The agent of an arm. It may be one of the user's own. Throws a `HarnessError` if there is no such agent. */
export type ResolveArm = (arm: CheckedArm) => ResolvedArm;

/** A field that is given replaces the arm's own. One that is absent leaves the arm's. */
export interface ResolvedArm {
  agent: AgentDefinition;
  /** The agent's own id of the model. */
  model?: string | undefined;
  binary?: string | undefined;
  extraArgs?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  findPrice?: FindPrice | undefined;
}
