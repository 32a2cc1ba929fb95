import * as v from "valibot";
import { exitReasons, FailureKind } from "../events/failure.js";
import { isRunId } from "../events/run-id.js";
import { isJson, type JsonValue } from "../text/json.js";
import { type CellResult, cellVerdicts } from "./model/cell.js";

/** Parts of what is read from other machines and from ledgers that may be damaged. */

export const countSchema = v.pipe(v.number(), v.minValue(0));

/** Everything that reads a time must be able to compute with it. */
export const timeSchema = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text))),
);

/** It becomes a part of paths. */
export const runIdSchema = v.pipe(v.string(), v.check(isRunId));

/** Fields that a later version adds are no mistake. */
export const failureSchema = v.object({
  kind: FailureKind,
  message: v.string(),
  hint: v.exactOptional(v.string()),
  retryAt: v.exactOptional(v.string()),
});

const Shell = v.object({
  isSuccess: v.boolean(),
  exitCode: v.nullable(v.number()),
  signal: v.optional(v.string()),
  isTimedOut: v.optional(v.literal(true)),
  durationMs: countSchema,
  tail: v.string(),
});

export const CellResultSchema = v.object({
  cellId: v.string(),
  taskId: v.string(),
  armId: v.string(),
  repetition: v.number(),
  verdict: v.picklist(cellVerdicts),
  reason: v.optional(v.string()),
  outcome: v.optional(
    v.object({ isSuccess: v.boolean(), reason: v.picklist(exitReasons), failure: v.optional(failureSchema) }),
  ),
  setup: v.optional(Shell),
  check: v.optional(Shell),
  output: v.optional(v.custom<JsonValue>(isJson)),
  runId: v.optional(runIdSchema),
  startedAt: timeSchema,
  endedAt: timeSchema,
  attempts: countSchema,
  retries: v.array(v.object({ runId: runIdSchema, failure: failureSchema, until: timeSchema })),
  agentVersion: v.optional(v.string()),
  model: v.optional(v.string()),
  authentication: v.optional(v.string()),
  throttled: countSchema,
  costUsd: v.optional(v.number()),
  costSource: v.optional(v.literal("estimated")),
  usage: v.optional(
    v.custom<NonNullable<CellResult["usage"]>>((value) => typeof value === "object" && value !== null),
  ),
  durationMs: v.optional(countSchema),
  turns: v.optional(countSchema),
  commands: v.object({ run: countSchema, failed: countSchema }),
  changes: v.optional(
    v.object({
      files: countSchema,
      insertions: countSchema,
      deletions: countSchema,
      isCut: v.optional(v.literal(true)),
    }),
  ),
  worker: v.optional(v.string()),
});
