import * as v from "valibot";
import { ExitReason, Failure } from "../../events/failure.js";
import { TokenCounts } from "../../events/usage.js";
import { isJson, type JsonValue } from "../../text/json.js";
import { type CellVerdict, cellVerdicts } from "../model/cell.js";

const text = v.string();
const number = v.number();
const count = v.pipe(number, v.integer(), v.minValue(0));
const share = v.pipe(number, v.minValue(0), v.maxValue(1));
const amount = v.pipe(number, v.minValue(0));

/** How many passed, with Wilson's interval. Cells with the verdict `error` are not part of it. */
const PassRate = v.strictObject({ passed: count, of: count, rate: share, low: share, high: share });
export type PassRate = v.InferOutput<typeof PassRate>;

/** Values of the cells that count and report one. */
const Spread = v.strictObject({
  count,
  sum: amount,
  mean: amount,
  min: amount,
  lowerQuartile: amount,
  median: amount,
  upperQuartile: amount,
  max: amount,
});
export type Spread = v.InferOutput<typeof Spread>;

/** How often something was the reason: a kind of failure, or `setup`, `workspace`, `check`, `check_timeout`. */
const KindCount = v.strictObject({ kind: text, count });
export type KindCount = v.InferOutput<typeof KindCount>;

const Verdicts = v.strictObject({ passed: count, failed: count });

/** What came out of some cells. Rates and spreads are of cells that passed or failed; errors say nothing about an agent. */
export const Figures = v.strictObject({
  cells: v.strictObject({
    planned: count,
    done: count,
    running: count,
    retrying: count,
    waiting: count,
    skipped: count,
  }),
  passed: count,
  failed: count,
  /** Done, but nothing can be said about the agent. */
  errors: count,
  /** The part of the errors whose setup failed. */
  setupFailures: count,
  /** Absent if no cell passed or failed. */
  passRate: v.exactOptional(PassRate),
  /**
   * For k runs of a task: the chance that at least one passes (pass@k), and that all do (pass^k). The mean over the tasks, for
   * every k that all of them have results for.
   */
  passAtK: v.array(v.strictObject({ k: count, atLeastOne: share, all: share })),
  /** What the attempts that count have cost, errors included. */
  spentUsd: amount,
  costUsd: v.exactOptional(v.strictObject({ ...Spread.entries, estimated: count })),
  durationMs: v.exactOptional(Spread),
  tokens: v.exactOptional(Spread),
  /** The sums of the classes that are reported. */
  tokenClasses: TokenCounts,
  turns: v.exactOptional(Spread),
  commands: v.strictObject({ run: count, failed: count }),
  changes: v.exactOptional(v.strictObject({ files: Spread, insertions: count, deletions: count })),
  /** Why cells did not pass, the most frequent first. */
  failures: v.array(KindCount),
  /** Cells that were tried again, how often, and why. */
  retries: v.strictObject({ cells: count, attempts: count, kinds: v.array(KindCount) }),
  /** Cells in which the agent itself waited because of a limit, and how often it did. */
  throttled: v.strictObject({ cells: count, times: count }),
  /** What the agent said against what the check said. Absent if no cell had both. */
  agreement: v.exactOptional(v.strictObject({ agentSucceeded: Verdicts, agentFailed: Verdicts })),
});
export type Figures = v.InferOutput<typeof Figures>;

const Ratio = v.strictObject({ ratio: amount, low: v.exactOptional(amount), high: v.exactOptional(amount) });

/** The arm with the best pass rate, against another one. */
const Comparison = v.strictObject({
  armId: text,
  otherId: text,
  /** Tasks with results of both. Only these are compared. */
  tasks: count,
  /** Of the intervals: widened if there are more than two arms. */
  confidence: share,
  /** `difference`: how much more often the arm passes than the other one. */
  passRate: v.exactOptional(v.strictObject({ difference: number, low: number, high: number })),
  /** How many times as much as the other one it takes. An interval needs enough results. */
  costUsd: v.exactOptional(Ratio),
  durationMs: v.exactOptional(Ratio),
  /** The same in words. They claim no more than the intervals allow. */
  sentences: v.array(text),
});
export type Comparison = v.InferOutput<typeof Comparison>;

const confoundKinds = [
  "unfinished",
  "not_isolated",
  "version",
  "model",
  "authentication",
  "errors",
  "unequal",
  "retries",
  "throttling",
  "workers",
  "cost",
] as const;

/** Something besides the arms that may be behind a difference. */
const Confound = v.strictObject({ kind: v.picklist(confoundKinds), arms: v.array(text), sentence: text });
export type Confound = v.InferOutput<typeof Confound>;

const ShellResult = v.strictObject({
  isSuccess: v.boolean(),
  exitCode: v.nullable(v.pipe(number, v.integer())),
  signal: v.optional(text),
  isTimedOut: v.optional(v.literal(true)),
  durationMs: number,
  tail: text,
});

const RetrySchema = v.strictObject({ runId: text, failure: Failure, until: text });

/** One cell, as far as it has come. What belongs to a result is absent until the cell is done. */
export const ReportCell = v.strictObject({
  cellId: text,
  taskId: text,
  armId: text,
  repetition: count,
  status: v.picklist(["waiting", "running", "retrying", "done", "skipped"]),
  verdict: v.optional(v.picklist<readonly CellVerdict[]>(cellVerdicts)),
  /** Why it did not pass, is skipped or waits. */
  reason: v.optional(text),
  /** The reason in one word: see `KindCount`. */
  kind: v.optional(text),
  /** How the agent's own run ended. */
  outcome: v.optional(
    v.strictObject({ isSuccess: v.boolean(), reason: ExitReason, failure: v.optional(Failure) }),
  ),
  setup: v.optional(ShellResult),
  check: v.optional(ShellResult),
  output: v.optional(v.custom<JsonValue>(isJson)),
  runId: v.optional(text),
  worker: v.optional(text),
  startedAt: v.optional(text),
  endedAt: v.optional(text),
  attempts: count,
  retries: v.array(RetrySchema),
  agentVersion: v.optional(text),
  model: v.optional(text),
  authentication: v.optional(text),
  throttled: count,
  costUsd: v.optional(amount),
  costSource: v.optional(v.literal("estimated")),
  usage: v.optional(TokenCounts),
  durationMs: v.optional(amount),
  turns: v.optional(count),
  commands: v.strictObject({ run: count, failed: count }),
  changes: v.optional(
    v.strictObject({
      files: count,
      insertions: count,
      deletions: count,
      isCut: v.optional(v.literal(true)),
    }),
  ),
});
export type ReportCell = v.InferOutput<typeof ReportCell>;

/** What came out of a batch: `harness batch report --format json`. */
export const BatchReport = v.strictObject({
  batchId: text,
  name: text,
  /** The version of harness that began it. */
  harness: text,
  /** `unfinished`: it runs, or it was killed. */
  status: v.picklist(["unfinished", "completed", "budget", "cancelled"]),
  startedAt: text,
  endedAt: v.exactOptional(text),
  /** When the report was made, if the caller says so. */
  reportedAt: v.exactOptional(text),
  repeats: count,
  isIsolated: v.boolean(),
  /** Of all attempts whose cost is known, retries included. */
  spentUsd: amount,
  budgetUsd: v.exactOptional(amount),
  total: Figures,
  arms: v.array(v.strictObject({ armId: text, agent: text, model: v.exactOptional(text), figures: Figures })),
  tasks: v.array(v.strictObject({ taskId: text, hasCheck: v.boolean(), figures: Figures })),
  /** Every task with every arm. */
  groups: v.array(v.strictObject({ taskId: text, armId: text, figures: Figures })),
  comparisons: v.array(Comparison),
  confounds: v.array(Confound),
  /** How the figures are to be read. */
  notes: v.array(text),
  stoppedAgents: v.array(v.strictObject({ agent: text, failure: Failure })),
  /** In the order of the plan. */
  cells: v.array(ReportCell),
});
export type BatchReport = v.InferOutput<typeof BatchReport>;
