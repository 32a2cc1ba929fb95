import { describe, expect, it } from "vitest";
import type { RecordingMeta } from "../../src/events/recording-meta.js";
import {
  type CountedRun,
  daysBetween,
  groupRuns,
  localDay,
  successRate,
  totalRuns,
} from "../../src/story/run-totals.js";

function run(outcome: CountedRun["outcome"], changes: Partial<RecordingMeta> = {}): CountedRun {
  const startedAt = changes.startedAt ?? "2026-11-15T10:00:00.000Z";
  const endedAt = new Date(Date.parse(startedAt) + 1500).toISOString();
  return { outcome, meta: { agent: "claude", cwd: "/repo", startedAt, endedAt, ...changes } };
}

const usage = (inputTokens: number, outputTokens: number, scope: "run" | "session" = "run") => ({
  usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, scope },
});

describe("what runs took together", () => {
  it("is their sum, without the noise of fractions", () => {
    const totals = totalRuns([
      run("completed", { costUsd: 0.1, ...usage(100, 20) }),
      run("completed", {
        costUsd: 0.2,
        costSource: "estimated",
        ...usage(10, 2),
        batch: { id: "b", cell: "c" },
      }),
      run("failed", { costUsd: 0 }),
      run("cancelled"),
      run("running", { endedAt: undefined as never }),
    ]);
    expect(totals).toEqual({
      runs: 5,
      succeeded: 2,
      unsuccessful: 2,
      running: 1,
      ofBatches: 1,
      costUsd: 0.3,
      estimatedUsd: 0.2,
      withoutCost: 2,
      tokens: 132,
      inputTokens: 110,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 22,
      withoutTokens: 3,
      durationMs: 6000,
    });
    expect(successRate(totals)).toBe(0.5);
    expect(successRate(totalRuns([run("running")]))).toBeUndefined();
  });

  it("does not count the tokens of a session twice, nor what a damaged sidecar says", () => {
    const totals = totalRuns([
      run("completed", usage(100, 20)),
      run("completed", usage(300, 60, "session")),
      run("completed", { costUsd: "1" as never, usage: { totalTokens: Number.NaN, scope: "run" } }),
      run("completed", { costUsd: -5, endedAt: "2026-11-15T09:00:00.000Z" }),
    ]);
    expect(totals).toMatchObject({
      tokens: 120,
      withoutTokens: 3,
      costUsd: 0,
      withoutCost: 4,
      durationMs: 4500,
    });
  });

  it("is told by group: the dearest first, then the one with most runs", () => {
    const runs = [
      run("completed", { agent: "pi" }),
      run("completed", { agent: "goose" }),
      run("failed", { agent: "goose" }),
      run("completed", { agent: "codex", costUsd: 2, model: "gpt-5" }),
      run("completed", { agent: "claude", costUsd: 3, cwd: "/other" }),
    ];
    expect(groupRuns(runs, "agent").map(({ key, runs }) => [key, runs])).toEqual([
      ["claude", 1],
      ["codex", 1],
      ["goose", 2],
      ["pi", 1],
    ]);
    expect(groupRuns(runs, "model").map(({ key }) => key)).toEqual(["not known", "gpt-5"]);
    expect(groupRuns(runs, "directory").map(({ key, costUsd }) => [key, costUsd])).toEqual([
      ["/other", 3],
      ["/repo", 2],
    ]);
  });

  it("is told by local day, in order", () => {
    const at = (hour: number): string => new Date(2026, 10, 15, hour, 30).toISOString();
    const groups = groupRuns(
      [
        run("completed", { startedAt: at(24) }),
        run("completed", { startedAt: at(23) }),
        run("failed", { startedAt: at(0) }),
      ],
      "day",
    );
    expect(groups.map(({ key, runs }) => [key, runs])).toEqual([
      ["2026-11-15", 2],
      ["2026-11-16", 1],
    ]);
  });

  it("knows every day of a period, whatever the clocks do in it", () => {
    expect(daysBetween("2026-02-27", "2026-03-02")).toEqual([
      "2026-02-27",
      "2026-02-28",
      "2026-03-01",
      "2026-03-02",
    ]);
    const year = daysBetween("2026-01-01", "2026-12-31");
    expect(new Set(year).size).toBe(365);
    expect(localDay(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
    expect(daysBetween("2026-03-02", "2026-03-01")).toEqual([]);
  });
});
