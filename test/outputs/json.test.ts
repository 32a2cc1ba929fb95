import { describe, expect, it } from "vitest";
import { formatEvents } from "../../src/outputs/format-events.js";
import { completed, eventsOf, type Given, runId, started, timestamp } from "./support.js";

const run: Given[] = [
  started,
  { type: "session", model: "sonnet", sessionId: "s1" },
  { type: "read", path: "/repo/a.ts", isSuccess: true },
  { type: "read", path: "/repo/a.ts", isSuccess: true },
  { type: "write", path: "/repo/b.ts", isSuccess: true },
  { type: "command", command: "npm test", exitCode: 1, isSuccess: false },
  { type: "warning", message: "careful" },
  { type: "error", message: "odd", code: "E1" },
  { type: "usage", scope: "run", inputTokens: 5, totalTokens: 5 },
  { type: "result", isSuccess: true, text: "Done.", durationMs: 1200, costUsd: 0.5 },
  completed,
];

describe("json", () => {
  it("is one object that says how the run ended and what it did", () => {
    expect(formatEvents("json", eventsOf(...run))).toEqual([
      {
        outcome: { isSuccess: true, reason: "completed", exitCode: 0 },
        text: "Done.",
        runId,
        agent: "claude",
        model: "sonnet",
        sessionId: "s1",
        cwd: "/repo",
        startedAt: timestamp,
        endedAt: timestamp,
        usage: { scope: "run", inputTokens: 5, totalTokens: 5 },
        costUsd: 0.5,
        costSource: "agent",
        durationMs: 1200,
        changes: {
          source: "edits",
          root: "/repo",
          files: [{ path: "b.ts", kind: "modified", insertions: 0, deletions: 0 }],
          insertions: 0,
          deletions: 0,
        },
        files: { read: [{ path: "/repo/a.ts", count: 2 }], written: [{ path: "/repo/b.ts", count: 1 }] },
        commands: [{ command: "npm test", exitCode: 1, isSuccess: false }],
        tools: [],
        subagents: 0,
        errors: [{ message: "odd", code: "E1" }],
        warnings: 1,
        unknown: 0,
      },
    ]);
  });

  it("has the lines of written files, if they are known", () => {
    const changes: Given = {
      type: "changes",
      root: "/repo",
      files: [{ path: "b.ts", kind: "modified", insertions: 3, deletions: 1 }],
      insertions: 3,
      deletions: 1,
    };
    const [report] = formatEvents("json", eventsOf(...run.slice(0, -1), changes, ...run.slice(-1)));
    expect(report).toMatchObject({
      files: { written: [{ path: "/repo/b.ts", count: 1, insertions: 3, deletions: 1 }] },
    });
  });

  it("begins with what matters most", () => {
    const [report = {}] = formatEvents("json", eventsOf(...run));
    expect(Object.keys(report).slice(0, 2)).toEqual(["outcome", "text"]);
  });

  it("says why a run failed", () => {
    const failure = {
      kind: "rate_limit",
      message: "slow down",
      hint: "Wait, then run it again.",
      retryAt: "2026-11-17T10:00:20.000Z",
    } as const;
    const [report] = formatEvents(
      "json",
      eventsOf(
        started,
        { type: "result", isSuccess: false, failure },
        { type: "exited", exitCode: null, signal: "SIGTERM", reason: "cancelled" },
      ),
    );
    expect(report).toMatchObject({
      outcome: { isSuccess: false, reason: "cancelled", exitCode: null, signal: "SIGTERM" },
      failure,
    });
  });

  it("is nothing before the end", () => {
    expect(formatEvents("json", eventsOf(...run.slice(0, -1)))).toEqual([]);
  });
});
