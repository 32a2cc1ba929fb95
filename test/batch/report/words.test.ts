import { describe, expect, it } from "vitest";
import type { CellResult } from "../../../src/batch/model/cell.js";
import { isSameModel } from "../../../src/batch/report/confounds.js";
import { createReport } from "../../../src/batch/report/report.js";
import type { BatchReport } from "../../../src/batch/report/schema.js";
import { batchOf, ended, type GivenBatch } from "./states.js";

const failed: Partial<CellResult> = { verdict: "failed", reason: "The check failed." };
const authError: Partial<CellResult> = {
  verdict: "error",
  outcome: { isSuccess: false, reason: "failed", failure: { kind: "auth", message: "no key" } },
  check: undefined,
};

function reportOf(given: GivenBatch): BatchReport {
  return createReport(batchOf({ lines: () => [ended], ...given }));
}

/** Arms that pass so many of their runs of every task. */
function passing(passes: Readonly<Record<string, number>>, given: GivenBatch = {}): BatchReport {
  return reportOf({
    arms: Object.keys(passes),
    ...given,
    result: ({ arm, repetition }) => (repetition <= (passes[arm.id] ?? 0) ? {} : failed),
  });
}

function sentencesOf({ comparisons }: BatchReport): string[] {
  return comparisons.flatMap(({ sentences }) => sentences);
}

describe("a difference", () => {
  it("is stated if the interval has no zero in it", () => {
    expect(sentencesOf(passing({ a: 9, b: 1 }, { repeats: 10 }))).toEqual([
      expect.stringMatching(
        /^a passes 80 points more often than b \(interval \d+ to \d+\), with 10 repetitions of 1 task\.$/,
      ),
    ]);
  });

  it("is not claimed otherwise", () => {
    expect(sentencesOf(passing({ a: 4, b: 3 }, { repeats: 5 }))).toEqual([
      expect.stringMatching(
        /^No difference in pass rates can be seen between a and b with 5 repetitions of 1 task: a passed 20 points more often, interval −\d+ to \d+\.$/,
      ),
    ]);
    expect(sentencesOf(passing({ a: 3, b: 3 }, { repeats: 3 }))).toEqual([
      expect.stringContaining("both passed about equally often"),
    ]);
  });

  it("claims exactly what the interval allows, for any numbers", () => {
    for (let a = 0; a <= 6; a += 1)
      for (let b = 0; b <= 6; b += 1) {
        const [comparison] = passing({ a, b }, { repeats: 6 }).comparisons;
        const { low = 0, high = 0 } = comparison?.passRate ?? {};
        const isClaimed = / points (?:more|less) often than /.test(comparison?.sentences[0] ?? "");
        expect(isClaimed, `${a} against ${b}`).toBe(low > 0 || high < 0);
      }
  });

  it("of one or two runs is never claimed", () => {
    for (const repeats of [1, 2])
      expect(sentencesOf(passing({ a: repeats, b: 0 }, { repeats }))[0]).toContain(
        "No difference in pass rates can be seen",
      );
  });

  it("of cost and time goes from the larger to the smaller, and needs enough runs for an interval", () => {
    const amounts = (repeats: number): BatchReport =>
      reportOf({
        arms: ["cheap", "dear"],
        repeats,
        result: ({ arm, repetition }) => {
          const factor = arm.id === "dear" ? 3 : 1;
          return { costUsd: factor * (1 + repetition / 10), durationMs: 1000 * (1 + (repetition % 3)) };
        },
      });
    expect(sentencesOf(amounts(3))).toContain(
      "dear costs 3.0 times as much as cheap in these runs, which are too few for an interval.",
    );
    const many = sentencesOf(amounts(12));
    expect(many).toContainEqual(
      expect.stringMatching(/^dear costs 3\.0 times as much as cheap \(interval \d\.\d to \d\.\d\)\.$/),
    );
    expect(many).toContainEqual(
      expect.stringMatching(/^No difference in duration can be seen between cheap and dear/),
    );
  });

  it("that is too small to matter is not claimed, however certain it is", () => {
    const report = reportOf({
      repeats: 20,
      arms: ["a", "b"],
      result: ({ arm, repetition }) => ({ durationMs: (arm.id === "a" ? 1010 : 1000) + (repetition % 2) }),
    });
    expect(sentencesOf(report)).toContain("a and b take about as long (ratio 1.01, interval 1.01 to 1.01).");
  });

  it("of several arms is taken from the best, with wider intervals", () => {
    const report = passing({ a: 5, best: 9, c: 1 }, { repeats: 10 });
    expect(report.comparisons.map(({ armId, otherId }) => [armId, otherId])).toEqual([
      ["best", "a"],
      ["best", "c"],
    ]);
    expect(report.comparisons[0]?.confidence).toBeCloseTo(1 - 0.05 / 3, 12);
    expect(report.notes.join(" ")).toContain("With 3 arms there are 3 pairs");
    const [pair] = passing({ a: 5, best: 9 }, { repeats: 10 }).comparisons;
    const width = ({ low = 0, high = 0 }: { low?: number; high?: number } = {}): number => high - low;
    expect(width(report.comparisons[0]?.passRate)).toBeGreaterThan(width(pair?.passRate));
  });

  it("is not looked for where no task has results of both", () => {
    const report = reportOf({
      tasks: ["one", "two"],
      arms: ["a", "b"],
      result: ({ task, arm }) => ((task.id === "one") === (arm.id === "a") ? {} : authError),
    });
    expect(sentencesOf(report)).toEqual(["a and b cannot be compared: no task has results of both."]);
  });
});

describe("a confound is named:", () => {
  const cases: Record<string, { given: GivenBatch; kind: string; says: string | RegExp }> = {
    "several versions in an arm": {
      given: {
        arms: ["a"],
        result: ({ repetition }) => ({ agentVersion: repetition === 1 ? "2.0" : "2.1" }),
      },
      kind: "version",
      says: "The arm a ran with several versions of claude: 2.1 in 2 cells and 2.0 in 1 cell.",
    },
    "versions that differ between arms of one agent": {
      given: { arms: ["a", "b"], result: ({ arm }) => ({ agentVersion: arm.id === "a" ? "2.0" : "2.1" }) },
      kind: "version",
      says: "The arms of claude ran with different versions: 2.0 in a and 2.1 in b.",
    },
    "another model than asked for": {
      given: { arms: [{ id: "a", model: "gpt-5" }], result: () => ({ model: "gpt-5-mini" }) },
      kind: "model",
      says: "The arm a asked for the model gpt-5, but the agent reports gpt-5-mini in 3 cells.",
    },
    "several models": {
      given: { arms: ["a"], result: ({ repetition }) => ({ model: `m${Math.min(2, repetition)}` }) },
      kind: "model",
      says: "The arm a ran with several models: m2 in 2 cells and m1 in 1 cell.",
    },
    "different authentication": {
      given: {
        arms: ["a", "b"],
        result: ({ arm }) => ({ authentication: arm.id === "a" ? "KEY" : "auth.json" }),
      },
      kind: "authentication",
      says: /^The arms of claude signed in in different ways: KEY in a and auth\.json in b\./,
    },
    "errors, and that they are uneven": {
      given: {
        arms: ["a", "b"],
        result: ({ arm, repetition }) => (arm.id === "a" && repetition < 3 ? authError : {}),
      },
      kind: "errors",
      says: /^Errors are excluded from the pass rates: 2 of 3 in a \(2 × auth\), none in the other arm\. They are spread unevenly/,
    },
    "unequal numbers of results": {
      given: {
        arms: ["a", "b"],
        result: ({ arm, repetition }) => (arm.id === "a" && repetition < 3 ? authError : {}),
      },
      kind: "unequal",
      says: "The arms have unequal numbers of results: a has 1 and b has 3.",
    },
    retries: {
      given: {
        arms: ["a"],
        result: () => ({
          attempts: 2,
          retries: [{ runId: "r", failure: { kind: "rate_limit", message: "429" }, until: "" }],
        }),
      },
      kind: "retries",
      says: "Cells were tried more than once, and only their last attempt counts: 3 of 3 in a (3 × rate limit).",
    },
    throttling: {
      given: { arms: ["a"], result: ({ repetition }) => ({ throttled: repetition === 1 ? 4 : 0 }) },
      kind: "throttling",
      says: "Agents waited because of a limit, which makes durations longer: in 1 of 3 cells of a (4 times).",
    },
    "workers that ran one arm more than the other": {
      given: { arms: ["a", "b"], result: ({ arm }) => ({ worker: arm.id === "a" ? "fast" : "slow" }) },
      kind: "workers",
      says: "The cells ran on 2 workers, and not every arm was spread evenly over fast and slow; durations depend on the machine.",
    },
    "no isolation": {
      given: { plan: { isolated: false } },
      kind: "not_isolated",
      says: /^The runs were not isolated/,
    },
    "cells without a result": {
      given: { arms: ["a"], result: (_cell, index) => (index === 0 ? {} : undefined), lines: () => [] },
      kind: "unfinished",
      says: /^The batch is not finished: 2 of 3 cells have no result\./,
    },
    "estimates beside reported costs": {
      given: {
        arms: ["a", "b"],
        result: ({ arm }) => ({ costUsd: 1, ...(arm.id === "b" && { costSource: "estimated" as const }) }),
      },
      kind: "cost",
      says: /^Costs of b are estimated from list prices/,
    },
    "costs that are not known": {
      given: { arms: ["a", "b"], result: ({ arm }) => (arm.id === "a" ? { costUsd: 1 } : {}) },
      kind: "cost",
      says: "Costs are not known for every run of b.",
    },
  };

  it.each(Object.entries(cases))("%s", (_name, { given, kind, says }) => {
    const sentence = typeof says === "string" ? says : expect.stringMatching(says);
    expect(reportOf(given).confounds).toContainEqual(expect.objectContaining({ kind, sentence }));
  });

  it("and none if there is none", () => {
    const same = {
      agentVersion: "2.1",
      model: "claude-opus-4-5",
      authentication: "KEY",
      costUsd: 1,
      worker: "one",
    };
    const arms = [
      { id: "a", model: "opus" },
      { id: "b", model: "claude-opus-4-5" },
    ];
    expect(reportOf({ arms, result: () => same }).confounds).toEqual([]);
  });
});

describe("a reported model is the one that was asked for:", () => {
  it.each([
    ["opus", "claude-opus-4-1-20250805", true],
    ["anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929", true],
    ["sonnet", "claude-sonnet-4-5[1m]", true],
    ["claude-haiku-4-5-20251001", "claude-haiku-4-5", true],
    ["gemini-2.5-pro", "gemini-2.5-pro-preview-05-06", true],
    ["GPT-5", "openai/gpt-5-2025-08-07", true],
    ["gpt-5", "gpt-5-mini", false],
    ["gpt-5", "gpt-5-codex", false],
    ["opus", "claude-sonnet-4-5", false],
    ["gemini-2.5-flash", "gemini-2.5-flash-lite", false],
    ["o3", "solo3", false],
    ["gpt-5", "", false],
  ])("%s as %s: %s", (wanted, reported, isSame) => {
    expect(isSameModel(wanted, reported)).toBe(isSame);
  });
});
