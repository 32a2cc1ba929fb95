import { describe, expect, it } from "vitest";
import { type BatchState, createBatchState } from "../../src/batch/model/batch-state.js";
import type { Cell, CellResult, CellVerdict } from "../../src/batch/model/cell.js";
import type { BatchLine, LedgerLine } from "../../src/batch/model/ledger-line.js";
import { describeLine } from "../../src/cli/batch/describe-line.js";
import { armsUnder, exitCodeOfBatch } from "../../src/cli/batch/exit-code.js";
import { standingsOf, timeLeftOf } from "../../src/cli/batch/figures.js";
import { toLiveTable } from "../../src/cli/batch/live-table.js";
import { plainTextOf } from "../../src/outputs/text/line.js";
import { createLiveScreen } from "../../src/outputs/text/live-screen.js";
import { widthOf } from "../../src/outputs/text/width.js";

const start = Date.parse("2026-11-17T12:00:00Z");
const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

/** A batch of one task, two arms and so many repetitions, two at once. */
function batchOf(
  repeats: number,
  names = ["claude-opus", "codex"],
): { state: BatchState; apply(line: LedgerLine): void } {
  const task = { id: "fix-total", prompt: "x", workspace: { empty: true as const } };
  const arms = names.map((id) => ({ id, agent: "claude" }));
  const plan = {
    name: "cart",
    tasks: [task],
    arms,
    repeats,
    concurrency: 2,
    limits: {},
    retries: 3,
    isolated: true,
    budgetUsd: 20,
  };
  const cells: Cell[] = [];
  for (let repetition = 1; repetition <= repeats; repetition++)
    for (const arm of arms) cells.push({ id: `${arm.id}-${repetition}`, task, arm, repetition });
  const head: BatchLine = {
    type: "batch",
    at: at(0),
    version: 1,
    batchId: "b",
    harness: "0",
    plan,
    sources: {},
    arms: {},
    cells: cells.length,
  };
  return createBatchState(head, cells);
}

const started = (cellId: string, seconds: number): LedgerLine => ({
  type: "started",
  at: at(seconds),
  cellId,
  attempt: 1,
  runId: `${cellId}-x`,
});

function done(cellId: string, verdict: CellVerdict, more: Partial<CellResult> = {}): LedgerLine {
  const armId = cellId.replace(/-\d+$/, "");
  return {
    type: "done",
    at: at(10),
    cellId,
    taskId: "fix-total",
    armId,
    repetition: 1,
    verdict,
    startedAt: at(0),
    endedAt: at(10),
    attempts: 1,
    retries: [],
    throttled: 0,
    commands: { run: 0, failed: 0 },
    costUsd: 0.5,
    ...more,
  };
}

function underWay(): BatchState {
  const { state, apply } = batchOf(4);
  for (const line of [
    done("claude-opus-1", "passed"),
    done("claude-opus-2", "failed"),
    done("codex-1", "error"),
    started("claude-opus-3", 5),
    started("codex-2", 8),
    {
      type: "retrying" as const,
      at: at(9),
      cellId: "codex-2",
      attempt: 1,
      runId: "r",
      failure: { kind: "rate_limit" as const, message: "slow down" },
      until: at(40),
    },
  ])
    apply(line);
  return state;
}

function rows(state: BatchState, options: { columns: number; rows?: number }): string[] {
  const table = toLiveTable(state, {
    rows: 24,
    now: start + 20_000,
    since: start,
    hint: "Ctrl-C stops it",
    ...options,
  });
  return table.map(plainTextOf);
}

describe("the table of a batch", () => {
  it("has the whole, each arm, what runs, and what can be done", () => {
    expect(rows(underWay(), { columns: 100 })).toEqual([
      "cart  3 of 8 done · 1 error · $1.50 of $20.00 · 20 s · about 20 s left",
      "ARM          DONE  RUNNING  WAITING  FAILED  ERRORS  PASS   COST",
      "claude-opus   2/4        1        1       1       0  50 %  $1.00",
      "codex         1/4        0        3       0       1     -  $0.50",
      "▸ fix-total, claude-opus, run 3  0:15",
      "… fix-total, codex, run 2  rate_limit, again in 20 s",
      "Ctrl-C stops it",
    ]);
  });

  it.each([80, 60, 40, 20, 8, 1])("fits into %d columns", (columns) => {
    const names = ["claude-opus-with-a-very-long-name-indeed", "漢字漢字漢字漢字漢字漢字"];
    const { state, apply } = batchOf(2, names);
    apply(started(`${names[1]}-1`, 0));
    for (const row of rows(state, { columns }))
      expect(widthOf(row)).toBeLessThanOrEqual(Math.max(1, columns - 1));
  });

  it("leaves out columns, not the pass rate, if it is narrow", () => {
    expect(rows(underWay(), { columns: 44 })[1]).toBe("ARM          DONE  FAILED  PASS   COST");
    expect(rows(underWay(), { columns: 28 })[1]).toBe("ARM          DONE  PASS");
  });

  it("never has more rows than the terminal", () => {
    const { state, apply } = batchOf(20);
    for (let repetition = 1; repetition <= 20; repetition++) apply(started(`codex-${repetition}`, 0));
    expect(rows(state, { columns: 80, rows: 10 })).toHaveLength(10);
    expect(rows(state, { columns: 80, rows: 10 }).at(-2)).toBe("  and 16 more");
    expect(rows(state, { columns: 80, rows: 4 })).toHaveLength(4);
  });

  it("is redrawn in place: nothing is erased before something else is there, and nothing is written if nothing changed", () => {
    const screen = createLiveScreen(80, false);
    expect(screen.redraw([[{ text: "one" }], [{ text: "two" }]])).toBe("\rone\u001b[K\ntwo\u001b[K\u001b[J");
    expect(screen.redraw([[{ text: "one" }], [{ text: "two" }]])).toBe("");
    expect(screen.redraw([[{ text: "three" }]])).toBe("\r\u001b[1Athree\u001b[K\u001b[J");
    expect(screen.clear()).toBe("\r\u001b[J");
  });
});

it("the standing of an arm counts every cell once", () => {
  const { all, arms } = standingsOf(underWay());
  expect(all).toMatchObject({
    total: 8,
    done: 3,
    running: 1,
    retrying: 1,
    waiting: 3,
    passed: 1,
    failed: 1,
    errors: 1,
  });
  expect(arms.get("codex")).toMatchObject({
    total: 4,
    done: 1,
    retrying: 1,
    waiting: 2,
    errors: 1,
    costUsd: 0.5,
  });
});

it("the time left is not known before a cell has ended, and none at the end", () => {
  const { state, apply } = batchOf(1);
  expect(timeLeftOf(state, start)).toBeUndefined();
  apply(done("codex-1", "passed"));
  expect(timeLeftOf(state, start)).toBe(10_000);
  apply(done("claude-opus-1", "passed"));
  expect(timeLeftOf(state, start)).toBe(0);
});

describe("a change as a row", () => {
  const text = (line: LedgerLine, ended?: number): string | undefined => {
    const row = describeLine(line, underWay(), ended);
    return row && plainTextOf(row).trimEnd();
  };

  it("has the verdict, the cell, what it took, and why", () => {
    expect(text(done("codex-1", "passed"), 3)).toBe("[3/8] ✓ passed  fix-total, codex, run 1  10 s  $0.50");
    expect(text(done("codex-1", "failed", { reason: "the check failed\nexit 1", attempts: 2 }))).toBe(
      "✗ failed  fix-total, codex, run 1  10 s  $0.50  attempt 2  the check failed exit 1",
    );
  });

  it("is there for retries and stopped agents, and for nothing else", () => {
    const failure = { kind: "auth" as const, message: "no \u001b[31mkey" };
    const retry = {
      type: "retrying" as const,
      at: at(0),
      cellId: "codex-1",
      attempt: 1,
      runId: "r",
      failure,
      until: at(30),
    };
    expect(text(retry)).toBe("… again   fix-total, codex, run 1  in 30 s: auth: no key");
    expect(text({ type: "agent_stopped", at: at(0), agent: "codex", failure })).toContain("codex is stopped");
    expect(text(started("codex-1", 0))).toBeUndefined();
  });
});

describe("the exit code", () => {
  it("is 0 if every cell has a verdict, however many failed", () => {
    const { state, apply } = batchOf(1);
    expect(exitCodeOfBatch(state, undefined)).toBe(1);
    apply(done("codex-1", "failed"));
    apply(done("claude-opus-1", "passed"));
    expect(exitCodeOfBatch(state, undefined)).toBe(0);
    expect(exitCodeOfBatch(state, 0.5)).toBe(1);
    expect(armsUnder(state, 0.5)).toEqual(["codex"]);
    expect(exitCodeOfBatch(state, 0)).toBe(0);
  });

  it("is 1 if a cell ended with an error", () => {
    const { state, apply } = batchOf(1);
    apply(done("codex-1", "error"));
    apply(done("claude-opus-1", "passed"));
    expect(exitCodeOfBatch(state, undefined)).toBe(1);
  });
});
