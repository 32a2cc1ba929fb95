import * as v from "valibot";

/* What the API answers about batches. */

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const signs = ["waiting", "running", "retrying", "skipped", "passed", "failed", "error"] as const;
const Sign = v.pipe(
  v.picklist(signs),
  v.description("The verdict of a cell that is done, or else its status."),
);

const Batch = v.strictObject({
  id: text,
  name: text,
  phase: v.pipe(
    v.picklist(["running", "completed", "budget", "cancelled", "interrupted"]),
    v.description("`interrupted`: the process that ran it was killed."),
  ),
  startedAt: text,
  endedAt: v.exactOptional(text),
  tasks: count,
  arms: count,
  repeats: count,
  counts: v.pipe(
    v.strictObject({
      waiting: count,
      running: count,
      retrying: count,
      skipped: count,
      passed: count,
      failed: count,
      error: count,
    }),
    v.description("How many cells have each sign."),
  ),
  costUsd: v.pipe(v.number(), v.description("Of all attempts whose cost is known.")),
  budgetUsd: v.exactOptional(v.number()),
});

const Cell = v.strictObject({
  id: text,
  task: v.pipe(count, v.description("A position in `tasks`.")),
  arm: v.pipe(count, v.description("A position in `arms`.")),
  repetition: count,
  sign: Sign,
  attempts: v.exactOptional(count),
  runId: v.exactOptional(v.pipe(text, v.description("The run of the latest attempt."))),
  worker: v.exactOptional(text),
  startedAt: v.exactOptional(text),
  endedAt: v.exactOptional(text),
  until: v.exactOptional(v.pipe(text, v.description("When a cell that is `retrying` is tried again."))),
  reason: v.exactOptional(v.pipe(text, v.description("Why it is not `passed`, in one line."))),
  costUsd: v.exactOptional(v.number()),
  costSource: v.exactOptional(v.picklist(["agent", "estimated"])),
});

const BatchList = v.strictObject({
  batches: v.pipe(v.array(Batch), v.description("Newest first.")),
  unreadable: v.array(v.strictObject({ id: text, message: text })),
});

const BatchDetail = v.strictObject({
  batch: Batch,
  tasks: v.array(
    v.strictObject({
      id: text,
      prompt: text,
      setup: v.exactOptional(text),
      check: v.exactOptional(text),
      source: v.pipe(text, v.description("What the workspaces are made from.")),
    }),
  ),
  arms: v.array(
    v.strictObject({ id: text, agent: text, model: v.exactOptional(text), options: v.array(text) }),
  ),
  isolated: v.boolean(),
  concurrency: v.number(),
  cells: v.array(Cell),
});

/** Every schema about batches with a name of its own in the OpenAPI file. */
export const batchComponents = { Batch, BatchList, BatchDetail, Cell } as const;
