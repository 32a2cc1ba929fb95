import * as v from "valibot";
import type { Cell } from "../model/cell.js";
import { CellResultSchema, countSchema, failureSchema, runIdSchema, timeSchema } from "../result-schema.js";
import { type AttemptNote, type CellEnd, shippedNames } from "./protocol.js";

const End = v.object({
  result: CellResultSchema,
  files: v.array(
    v.object({
      name: v.picklist(shippedNames),
      blob: v.object({
        name: runIdSchema,
        hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
        bytes: countSchema,
      }),
    }),
  ),
  problems: v.array(v.string()),
});

const Notes = v.array(
  v.object({
    runId: runIdSchema,
    attempt: countSchema,
    worker: v.string(),
    retry: v.optional(
      v.object({ failure: failureSchema, until: timeSchema, costUsd: v.optional(v.number()) }),
    ),
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
