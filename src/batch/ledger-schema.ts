import * as v from "valibot";
import type { LedgerLine } from "./model/ledger-line.js";
import { CellResultSchema, countSchema, failureSchema, runIdSchema, timeSchema } from "./result-schema.js";

/** Every cell is held in memory, also those of a ledger that somebody else wrote. */
export const maxCells = 100_000;

const named = v.object({ id: v.string() });
const about = { at: timeSchema, cellId: v.string() };
const attempt = { ...about, attempt: countSchema, runId: runIdSchema };

const Head = v.object({
  type: v.literal("batch"),
  at: timeSchema,
  version: v.literal(1),
  batchId: runIdSchema,
  harness: v.string(),
  plan: v.pipe(
    v.object({
      name: v.string(),
      tasks: v.array(v.object({ ...named.entries, prompt: v.string() })),
      arms: v.array(v.object({ ...named.entries, agent: v.string() })),
      repeats: v.pipe(v.number(), v.integer(), v.minValue(1)),
      concurrency: countSchema,
      limits: v.record(v.string(), v.number()),
      retries: countSchema,
    }),
    v.check(({ tasks, arms, repeats }) => tasks.length * arms.length * repeats <= maxCells),
  ),
  sources: v.record(v.string(), v.object({ kind: v.picklist(["git", "copy", "empty"]) })),
  arms: v.record(v.string(), v.string()),
  cells: countSchema,
  work: v.optional(v.string()),
});

const Line = v.variant("type", [
  Head,
  v.object({ type: v.literal("started"), ...attempt, worker: v.optional(v.string()) }),
  v.object({
    type: v.literal("retrying"),
    ...attempt,
    failure: failureSchema,
    until: timeSchema,
    costUsd: v.optional(v.number()),
  }),
  v.object({ type: v.literal("done"), at: timeSchema, ...CellResultSchema.entries }),
  v.object({ type: v.literal("skipped"), ...about, reason: v.string() }),
  v.object({ type: v.literal("agent_stopped"), at: timeSchema, agent: v.string(), failure: failureSchema }),
  v.object({ type: v.literal("resumed"), at: timeSchema, harness: v.string() }),
  v.object({
    type: v.literal("ended"),
    at: timeSchema,
    reason: v.picklist(["completed", "budget", "cancelled"]),
  }),
]);

/** True if everything is there that readers of a ledger rely on. Fields that they do not know are no mistake. */
export function isLedgerLine(value: unknown): value is LedgerLine {
  return v.is(Line, value);
}
