import type { ExitReason, Failure } from "../../events/failure.js";
import type { TokenCounts } from "../../events/usage.js";
import type { JsonValue } from "../../text/json.js";
import type { CheckedArm, CheckedTask } from "./plan.js";

/** One run that is to be made: a task, an arm and a number. */
export interface Cell {
  /** A hash of everything that matters for the result. Ids of runs begin with it. */
  id: string;
  task: CheckedTask;
  arm: CheckedArm;
  /** From 1. */
  repetition: number;
}

/**
 * Whether the task was done. `error`: nothing can be said about the agent, because the setup failed, the workspace could not be
 * made, or the machine, the account or the provider was in the way. Such a cell counts for nobody, and is run again on resume.
 */
export const cellVerdicts = ["passed", "failed", "error"] as const;
/** How a cell ended: its check passed, its check failed, or there was nothing to check because of an error. */
export type CellVerdict = (typeof cellVerdicts)[number];

/** What became of a cell: the attempt that counts. */
export interface CellResult {
  cellId: string;
  taskId: string;
  armId: string;
  repetition: number;
  verdict: CellVerdict;
  /** In one sentence, for cellVerdicts other than `passed`. */
  reason?: string | undefined;
  /** How the agent's own run ended. Absent if it was not started. */
  outcome?: { isSuccess: boolean; reason: ExitReason; failure?: Failure | undefined } | undefined;
  setup?: ShellResult | undefined;
  check?: ShellResult | undefined;
  /** The structured output of the task's `schema`. */
  output?: JsonValue | undefined;
  runId?: string | undefined;
  startedAt: string;
  endedAt: string;
  /** How often it was tried, and why the earlier attempts did not count. */
  attempts: number;
  retries: readonly Retry[];
  agentVersion?: string | undefined;
  /** The model that the agent reports. */
  model?: string | undefined;
  /** How it signed in: the variable that held the key, or the file. */
  authentication?: string | undefined;
  /** Times that the agent itself reported waiting because of a limit. */
  throttled: number;
  costUsd?: number | undefined;
  costSource?: "estimated" | undefined;
  usage?: TokenCounts | undefined;
  durationMs?: number | undefined;
  turns?: number | undefined;
  commands: { run: number; failed: number };
  changes?: Changes | undefined;
  /** The machine that ran it, in a batch over a queue. */
  worker?: string | undefined;
}

/** A shell command of a task. Its output is in a file beside the cell's other files. */
export interface ShellResult {
  isSuccess: boolean;
  exitCode: number | null;
  signal?: string | undefined;
  isTimedOut?: true | undefined;
  durationMs: number;
  /** The end of what it printed, for reports. */
  tail: string;
}

/** What the run changed in its workspace. `patch` is beside the cell's other files. */
export interface Changes {
  files: number;
  insertions: number;
  deletions: number;
  /** The patch is too large and was cut. */
  isCut?: true | undefined;
}

/** An attempt that failed for a passing reason and was made again. */
export interface Retry {
  runId: string;
  failure: Failure;
  /** When it was tried again. */
  until: string;
}
