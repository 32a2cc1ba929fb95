import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes the ledger of a batch, as a batch would have left it at some moment. `outcomeOf` says what became of a cell: nothing, or
 * the lines of its ledger without type `done`'s usual fields. Returns the cells and a function that appends lines.
 */
export function writeBatch({
  batches,
  id,
  makeCells,
  plan,
  outcomeOf = () => [],
  startedAt,
  isRunning = false,
  end,
}) {
  const directory = join(batches, id);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const tasks = plan.tasks.map((task) => ({ prompt: `Do ${task.id}.`, workspace: { empty: true }, ...task }));
  const arms = plan.arms.map((arm) => ({ id: arm.model ? `${arm.agent}-${arm.model}` : arm.agent, ...arm }));
  const at = startedAt ?? "2026-11-17T09:00:00.000Z";
  const checked = {
    name: id,
    repeats: 1,
    concurrency: 4,
    limits: {},
    retries: 3,
    isolated: true,
    ...plan,
    tasks,
    arms,
  };
  const head = {
    type: "batch",
    at,
    version: 1,
    batchId: id,
    harness: "0.0.0",
    plan: checked,
    sources: Object.fromEntries(tasks.map((task) => [task.id, { kind: "empty" }])),
    arms: {},
    cells: tasks.length * arms.length * checked.repeats,
  };
  const cells = makeCells(head);
  const ledger = join(directory, "batch.jsonl");
  const toText = (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const lines = cells.flatMap((cell, index) => outcomeOf(cell, index).map((line) => whole(cell, line, at)));
  const last = end === undefined ? [] : [{ type: "ended", at: later(at, 3_600_000), reason: end }];
  writeFileSync(ledger, toText([head, ...lines, ...last]), { mode: 0o600 });
  if (isRunning) writeFileSync(join(directory, "lock"), JSON.stringify({ pid: process.pid }));
  return {
    directory,
    cells,
    append: (cell, ...more) => appendFileSync(ledger, toText(more.map((line) => whole(cell, line, at)))),
    appendText: (text) => appendFileSync(ledger, text),
    writeFile(cell, name, text) {
      const folder = join(directory, "cells", cell.id);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    },
  };
}

/** A line with the fields that every line of its type has. */
function whole(cell, line, at) {
  const common = { at, ...(cell !== undefined && { cellId: cell.id }) };
  const runId = cell === undefined ? undefined : `${cell.id}-a1`;
  if (line.type === "started") return { attempt: 1, runId, ...common, ...line };
  if (line.type === "retrying") return { attempt: 1, runId, until: later(at, 60_000), ...common, ...line };
  if (line.type !== "done") return { ...common, ...line };
  return {
    taskId: cell.task.id,
    armId: cell.arm.id,
    repetition: cell.repetition,
    verdict: "passed",
    outcome: { isSuccess: true, reason: "completed" },
    runId,
    startedAt: at,
    endedAt: later(at, line.durationMs ?? 60_000),
    attempts: 1,
    retries: [],
    throttled: 0,
    durationMs: 60_000,
    commands: { run: 3, failed: 0 },
    ...common,
    ...line,
  };
}

function later(at, milliseconds) {
  return new Date(Date.parse(at) + milliseconds).toISOString();
}
