import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { CellResult } from "../../../src/batch/model/cell.js";
import { createReportJsonSchema } from "../../../src/batch/report/json-schema.js";
import { createReport, renderReport } from "../../../src/batch/report/report.js";
import { BatchReport } from "../../../src/batch/report/schema.js";
import { anyBatch } from "./any-batch.js";
import { sampleBatch } from "./sample.js";
import { batchOf, ended, endedAt, type GivenBatch, idOf, startedAt } from "./states.js";

function reportOf(given: GivenBatch): BatchReport {
  return createReport(batchOf(given));
}

const failedCheck: Partial<CellResult> = {
  verdict: "failed",
  reason: "The check failed with exit code 1.",
  check: { isSuccess: false, exitCode: 1, durationMs: 5, tail: "" },
};
const authError: Partial<CellResult> = {
  verdict: "error",
  reason: "no key",
  outcome: { isSuccess: false, reason: "failed", failure: { kind: "auth", message: "no key" } },
  check: undefined,
};
const setupError: Partial<CellResult> = {
  verdict: "error",
  reason: "The setup failed.",
  setup: { isSuccess: false, exitCode: 1, durationMs: 5, tail: "" },
  outcome: undefined,
  check: undefined,
};

describe("the figures", () => {
  it("leave errors out of the pass rate, and show them", () => {
    const given = [{}, failedCheck, authError, setupError, {}];
    const { total } = reportOf({ arms: ["a"], repeats: 5, result: (_cell, index) => given[index] });
    expect(total).toMatchObject({ passed: 2, failed: 1, errors: 2, setupFailures: 1 });
    expect(total.passRate).toMatchObject({ passed: 2, of: 3, rate: 2 / 3 });
    expect(total.failures).toEqual([
      { kind: "check", count: 1 },
      { kind: "auth", count: 1 },
      { kind: "setup", count: 1 },
    ]);
  });

  it("count every cell by what it is doing", () => {
    const { total, cells } = reportOf({
      arms: ["a"],
      repeats: 5,
      result: (_cell, index) => (index === 0 ? {} : undefined),
      lines: () => [
        { type: "started", at: startedAt, cellId: idOf(1), attempt: 1, runId: "r1", worker: "w" },
        { type: "started", at: startedAt, cellId: idOf(2), attempt: 1, runId: "r2" },
        {
          type: "retrying",
          at: startedAt,
          cellId: idOf(2),
          attempt: 1,
          runId: "r2",
          failure: { kind: "rate_limit", message: "slow down" },
          until: endedAt,
        },
        { type: "skipped", at: startedAt, cellId: idOf(3), reason: "its agent was stopped" },
      ],
    });
    expect(total.cells).toEqual({ planned: 5, done: 1, running: 1, retrying: 1, waiting: 1, skipped: 1 });
    expect(cells.map(({ status, reason, runId }) => ({ status, reason, runId }))).toMatchObject([
      { status: "done" },
      { status: "running", runId: "r1" },
      { status: "retrying", reason: "slow down" },
      { status: "skipped", reason: "its agent was stopped" },
      { status: "waiting", reason: undefined },
    ]);
  });

  it("forget an error that is to be run again", () => {
    const { total } = reportOf({
      arms: ["a"],
      repeats: 1,
      result: () => authError,
      lines: () => [{ type: "resumed", at: endedAt, harness: "1.0.0" }],
    });
    expect(total).toMatchObject({ errors: 0, failures: [], cells: { done: 0, waiting: 1 } });
  });

  it("have the spread of cost, time, turns and changes, and say what is estimated", () => {
    const costs = [1, 2, 4, undefined];
    const { total } = reportOf({
      arms: ["a"],
      repeats: 4,
      result: (_cell, index) => ({
        costUsd: costs[index],
        ...(index === 0 && { costSource: "estimated" as const }),
        durationMs: (index + 1) * 1000,
        turns: 3,
        usage: { inputTokens: 10, totalTokens: 15 },
        changes: { files: index, insertions: 2, deletions: 1 },
        commands: { run: 3, failed: 1 },
      }),
    });
    expect(total.costUsd).toMatchObject({ count: 3, sum: 7, median: 2, min: 1, max: 4, estimated: 1 });
    expect(total.durationMs).toMatchObject({
      count: 4,
      median: 2500,
      lowerQuartile: 1750,
      upperQuartile: 3250,
    });
    expect(total.turns).toMatchObject({ median: 3 });
    expect(total.tokenClasses).toEqual({ inputTokens: 40, totalTokens: 60 });
    expect(total.changes).toMatchObject({ files: { median: 1.5 }, insertions: 8, deletions: 4 });
    expect(total.commands).toEqual({ run: 12, failed: 4 });
  });

  it("have pass@k as the mean of the tasks, as far as all of them go", () => {
    const { arms } = reportOf({
      arms: ["a"],
      tasks: ["one", "two"],
      repeats: 3,
      result: ({ task, repetition }) =>
        task.id === "two" && repetition === 3
          ? authError
          : task.id === "one" || repetition === 1
            ? {}
            : failedCheck,
    });
    expect(arms[0]?.figures.passAtK).toEqual([
      { k: 1, atLeastOne: 0.75, all: 0.75 },
      { k: 2, atLeastOne: 1, all: 0.5 },
    ]);
  });

  it("show where agent and check disagree", () => {
    const agentFailed: Partial<CellResult> = {
      outcome: { isSuccess: false, reason: "timed_out", failure: { kind: "timed_out", message: "too long" } },
    };
    const given = [{}, failedCheck, agentFailed, { ...agentFailed, ...failedCheck }, {}];
    const { total } = reportOf({ arms: ["a"], repeats: 5, result: (_cell, index) => given[index] });
    expect(total.agreement).toEqual({
      agentSucceeded: { passed: 2, failed: 1 },
      agentFailed: { passed: 1, failed: 1 },
    });
    expect(total.failures).toEqual([
      { kind: "check", count: 1 },
      { kind: "timed_out", count: 1 },
    ]);
  });

  it("are there for every task, every arm and every task with every arm", () => {
    const report = createReport(sampleBatch());
    expect(report.arms).toHaveLength(4);
    expect(report.tasks).toHaveLength(4);
    expect(report.groups).toHaveLength(16);
    const sumOf = (parts: readonly { figures: { passed: number } }[]): number =>
      parts.reduce((sum, { figures }) => sum + figures.passed, 0);
    for (const parts of [report.arms, report.tasks, report.groups])
      expect(sumOf(parts)).toBe(report.total.passed);
  });

  it("of a batch for a part of the plan leave out what it does not have", () => {
    const state = batchOf({ arms: ["a", "b"], tasks: ["one", "two"] });
    const cells = new Map(
      [...state.cells].filter(([, { cell }]) => cell.arm.id === "a" && cell.task.id === "two"),
    );
    const { arms, tasks, comparisons } = createReport({ ...state, cells });
    expect(arms.map(({ armId }) => armId)).toEqual(["a"]);
    expect(tasks.map(({ taskId }) => taskId)).toEqual(["two"]);
    expect(comparisons).toEqual([]);
  });
});

describe("the report", () => {
  it("fits its schema, whatever the batch", () => {
    fc.assert(
      fc.property(anyBatch, (state) => {
        const report = createReport(state, { now: endedAt });
        const read: unknown = JSON.parse(JSON.stringify(report));
        expect(v.safeParse(BatchReport, read).issues).toBeUndefined();
        const { cells } = report.total;
        expect(cells.done + cells.running + cells.retrying + cells.waiting + cells.skipped).toBe(
          cells.planned,
        );
        expect(report.total.passed + report.total.failed + report.total.errors).toBe(cells.done);
      }),
      { numRuns: 60 },
    );
  });

  it("fits its JSON Schema, which refuses what does not belong there", () => {
    const validator = new Validator(JSON.parse(JSON.stringify(createReportJsonSchema())), "2020-12", false);
    const read: object = JSON.parse(renderReport(createReport(sampleBatch()), "json"));
    expect(validator.validate(read).errors).toEqual([]);
    expect(validator.validate({ ...read, another: 1 }).valid).toBe(false);
    expect(validator.validate({ ...read, spentUsd: -1 }).valid).toBe(false);
    expect(createReportJsonSchema()).toMatchObject({ title: "harness: what came out of a batch" });
  });

  it("is the same every time", () => {
    expect(createReport(sampleBatch())).toEqual(createReport(sampleBatch()));
  });

  it("says how the batch ended, and what was spent on attempts that do not count", () => {
    const running = reportOf({ result: () => undefined });
    expect(running).toMatchObject({ status: "unfinished", comparisons: [], notes: [] });
    expect(running).not.toHaveProperty("endedAt");
    const retried = reportOf({
      arms: ["a"],
      repeats: 1,
      result: () => undefined,
      lines: ([cell]) => [
        {
          type: "retrying",
          at: startedAt,
          cellId: cell?.id ?? "",
          attempt: 1,
          runId: "r",
          failure: { kind: "network", message: "gone" },
          until: endedAt,
          costUsd: 0.5,
        },
        ended,
      ],
    });
    expect(retried).toMatchObject({ status: "completed", endedAt, spentUsd: 0.5, total: { spentUsd: 0 } });
  });
});
