import type { Cell, CellResult } from "../model/cell.js";
import { type AttemptNote, retriesOf } from "./protocol.js";

/** The result of a cell about whose agent nothing can be said. It counts for nobody, and is run again on resume. */
export function errorResult(
  cell: Cell,
  reason: string,
  attempts: readonly AttemptNote[] = [],
  worker?: string,
): CellResult {
  const now = new Date().toISOString();
  return {
    cellId: cell.id,
    taskId: cell.task.id,
    armId: cell.arm.id,
    repetition: cell.repetition,
    verdict: "error",
    reason,
    startedAt: now,
    endedAt: now,
    attempts: attempts.length,
    retries: retriesOf(attempts),
    throttled: 0,
    commands: { run: 0, failed: 0 },
    ...(worker !== undefined && { worker }),
  };
}
