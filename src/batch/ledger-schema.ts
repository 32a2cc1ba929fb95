import * as v from "valibot";
import type { LedgerLine } from "./model/ledger-line.js";
import { CellResultSchema, countOf, failureOf, runIdOf, timeOf } from "./result-schema.js";

/** Every cell is held in memory, also those of a ledger that somebody else wrote. */
export const maxCells = 100_000;

const named = v.object({ id: v.string() });
const about = { at: timeOf, cellId: v.string() };
const attempt = { ...about, attempt: countOf, runId: runIdOf };

const Head = v.object({
  type: v.literal("batch"),
  at: timeOf,
  version: v.literal(1),
  batchId: runIdOf,
  harness: v.string(),
  plan: v.pipe(
    v.object({
      name: v.string(),
      tasks: v.array(v.object({ ...named.entries, prompt: v.string() })),
      arms: v.array(v.object({ ...named.entries, agent: v.string() })),
      repeats: v.pipe(v.number(), v.integer(), v.minValue(1)),
      concurrency: countOf,
      limits: v.record(v.string(), v.number()),
      retries: countOf,
    }),
    v.check(({ tasks, arms, repeats }) => tasks.length * arms.length * repeats <= maxCells),
  ),
  sources: v.record(v.string(), v.object({ kind: v.picklist(["git", "copy", "empty"]) })),
  arms: v.record(v.string(), v.string()),
  cells: countOf,
  work: v.optional(v.string()),
});

const Line = v.variant("type", [
  Head,
  v.object({ type: v.literal("started"), ...attempt, worker: v.optional(v.string()) }),
  v.object({
    type: v.literal("retrying"),
    ...attempt,
    failure: failureOf,
    until: timeOf,
    costUsd: v.optional(v.number()),
  }),
  v.object({ type: v.literal("done"), at: timeOf, ...CellResultSchema.entries }),
  v.object({ type: v.literal("skipped"), ...about, reason: v.string() }),
  v.object({ type: v.literal("agent_stopped"), at: timeOf, agent: v.string(), failure: failureOf }),
  v.object({ type: v.literal("resumed"), at: timeOf, harness: v.string() }),
  v.object({
    type: v.literal("ended"),
    at: timeOf,
    reason: v.picklist(["completed", "budget", "cancelled"]),
  }),
]);

/** True if everything is there that readers of a ledger rely on. Fields that they do not know are no mistake. */
export function isLedgerLine(value: unknown): value is LedgerLine {
  return v.is(Line, value);
}
