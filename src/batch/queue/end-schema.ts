import * as v from "valibot";
import { exitReasons, Failure } from "../../events/failure.js";
import { isRunId } from "../../events/run-id.js";
import { isJson, type JsonValue } from "../../text/json.js";
import { type Cell, type CellResult, cellVerdicts } from "../model/cell.js";
import { type AttemptNote, type CellEnd, shippedNames } from "./protocol.js";

const count = v.pipe(v.number(), v.minValue(0));
const time = v.pipe(v.string(), v.isoTimestamp());
const RunId = v.pipe(v.string(), v.check(isRunId));

const Shell = v.object({
  isSuccess: v.boolean(),
  exitCode: v.nullable(v.number()),
  signal: v.optional(v.string()),
  isTimedOut: v.optional(v.literal(true)),
  durationMs: count,
  tail: v.string(),
});

const Result = v.object({
  cellId: v.string(),
  taskId: v.string(),
  armId: v.string(),
  repetition: v.number(),
  verdict: v.picklist(cellVerdicts),
  reason: v.optional(v.string()),
  outcome: v.optional(
    v.object({ isSuccess: v.boolean(), reason: v.picklist(exitReasons), failure: v.optional(Failure) }),
  ),
  setup: v.optional(Shell),
  check: v.optional(Shell),
  output: v.optional(v.custom<JsonValue>(isJson)),
  runId: v.optional(RunId),
  startedAt: time,
  endedAt: time,
  attempts: count,
  retries: v.array(v.object({ runId: RunId, failure: Failure, until: time })),
  agentVersion: v.optional(v.string()),
  model: v.optional(v.string()),
  authentication: v.optional(v.string()),
  throttled: count,
  costUsd: v.optional(v.number()),
  costSource: v.optional(v.literal("estimated")),
  usage: v.optional(
    v.custom<NonNullable<CellResult["usage"]>>((value) => typeof value === "object" && value !== null),
  ),
  durationMs: v.optional(count),
  turns: v.optional(count),
  commands: v.object({ run: count, failed: count }),
  changes: v.optional(
    v.object({ files: count, insertions: count, deletions: count, isCut: v.optional(v.literal(true)) }),
  ),
  worker: v.optional(v.string()),
});

const End = v.object({
  result: Result,
  files: v.array(
    v.object({
      name: v.picklist(shippedNames),
      blob: v.object({ name: RunId, hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)), bytes: count }),
    }),
  ),
  problems: v.array(v.string()),
});

const Notes = v.array(
  v.object({
    runId: RunId,
    attempt: count,
    worker: v.string(),
    retry: v.optional(v.object({ failure: Failure, until: time, costUsd: v.optional(v.number()) })),
  }),
);

/** What a job returned, if it is a result of this cell. It comes from another machine and goes into the ledger. */
export function parseEnd(value: unknown, cell: Cell): CellEnd | undefined {
  const parsed = v.safeParse(End, value);
  if (!parsed.success) return undefined;
  const { cellId, taskId, armId, repetition, runId } = parsed.output.result;
  const isOfCell =
    cellId === cell.id &&
    taskId === cell.task.id &&
    armId === cell.arm.id &&
    repetition === cell.repetition &&
    (runId === undefined || runId.startsWith(`${cell.id}-`));
  return isOfCell ? parsed.output : undefined;
}

/** The attempts that a worker has noted. None if they cannot be read. */
export function parseAttempts(value: unknown): readonly AttemptNote[] {
  const parsed = v.safeParse(Notes, value);
  return parsed.success ? parsed.output : [];
}
