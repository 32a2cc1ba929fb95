import type { AgentDefinition } from "../agents/definition.js";
import type { FindPrice } from "../models/find-price.js";
import type { Executor } from "./executor.js";
import type { BatchState } from "./model/batch-state.js";
import type { LedgerLine } from "./model/ledger-line.js";
import type { CheckedArm } from "./model/plan.js";

/** A batch under way. Iterating gives the lines of its ledger as they come. */
export interface Batch extends AsyncIterable<LedgerLine> {
  readonly batchId: string;
  readonly directory: string;
  /** Every cell, and what became of it so far. */
  readonly state: BatchState;
  /** Resolves when nothing runs any more, and never rejects. */
  readonly result: Promise<BatchState>;
  cancel(): void;
}

/** How a batch is carried out, besides its plan. */
export interface BatchOptions {
  /** Where batches are kept. Default: the user's data directory. */
  batchesDirectory?: string | undefined;
  /** Where the recordings of the runs are kept. Default: the user's data directory. */
  sessionsDirectory?: string | undefined;
  /** Where workspaces are made. Default: in the batch's directory. */
  workDirectory?: string | undefined;
  /** Workspaces stay after their runs. */
  keep?: boolean | undefined;
  /** Only these tasks and arms, by their ids. */
  only?: readonly string[] | undefined;
  /** Finds the agent of an arm, and what your configuration says about it. Default: the built-in agents. */
  resolveArm?: ResolveArm | undefined;
  /** Default: this process. */
  executor?: Executor | undefined;
  signal?: AbortSignal | undefined;
}

/** The agent of an arm. It may be one of the user's own. Throws a `HarnessError` if there is no such agent. */
export type ResolveArm = (arm: CheckedArm) => ResolvedArm;

export interface ResolvedArm {
  agent: AgentDefinition;
  /** The agent's own id of the model. */
  model?: string | undefined;
  binary?: string | undefined;
  extraArgs?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  findPrice?: FindPrice | undefined;
}
