import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HarnessEvent } from "../../src/events/event.js";
import { createSummary } from "../../src/story/create-summary.js";
import { arbitraryOf } from "../outputs/arbitrary.js";
import {
  completed,
  eventsOf,
  exitedWithOne,
  failed,
  type Given,
  runId,
  started,
  succeeded,
  timestamp,
} from "../outputs/support.js";

function summaryOf(...given: Given[]) {
  const summary = createSummary();
  for (const event of eventsOf(...given)) summary.add(event);
  return summary;
}

describe("the summary of a run", () => {
  it("of nothing has nothing in it", () => {
    expect(summaryOf().read()).toEqual({
      filesRead: [],
      filesWritten: [],
      commands: [],
      tools: [],
      subagents: 0,
      errors: [],
      warnings: [],
      unknown: 0,
    });
  });

  it("says who worked, where, and with what", () => {
    const session: Given = { type: "session", model: "sonnet", cwd: "/repo/app", sessionId: "s1" };
    expect(summaryOf(started, session).read()).toMatchObject({
      runId,
      agent: "claude",
      model: "sonnet",
      cwd: "/repo/app",
      sessionId: "s1",
      startedAt: timestamp,
      endedAt: timestamp,
    });
  });

  it("counts files that were really read or written, in the order of the first time", () => {
    const { filesRead, filesWritten } = summaryOf(
      { type: "read", path: "/b", isSuccess: true },
      { type: "read", path: "/a" },
      { type: "read", path: "/b", startLine: 1, isSuccess: true },
      { type: "read", path: "/none", isSuccess: false },
      { type: "write", path: "/c", isSuccess: true },
      { type: "write", path: "/none", isSuccess: false },
    ).read();
    expect(filesRead).toEqual([
      { path: "/b", count: 2 },
      { path: "/a", count: 1 },
    ]);
    expect(filesWritten).toEqual([{ path: "/c", count: 1 }]);
  });

  it("lists every command, and counts calls by tool", () => {
    const { commands, tools } = summaryOf(
      { type: "tool_start", callId: "1", name: "Bash" },
      { type: "tool_end", callId: "1", name: "Bash", isSuccess: false },
      { type: "command", command: "npm test", exitCode: 1, isSuccess: false },
      { type: "tool_start", callId: "2", name: "Bash" },
      { type: "command", command: "npm test" },
    ).read();
    expect(commands).toEqual([
      { command: "npm test", exitCode: 1, isSuccess: false },
      { command: "npm test" },
    ]);
    expect(tools).toEqual([{ name: "Bash", calls: 2, failures: 1 }]);
  });

  it("counts a subagent once, also when only its end is told", () => {
    const { subagents } = summaryOf(
      { type: "orchestration", action: "subagent_started", subagentId: "a", callId: "1" },
      { type: "orchestration", action: "subagent_completed", subagentId: "a", callId: "2" },
      { type: "orchestration", action: "subagent_started", callId: "3" },
      { type: "orchestration", action: "subagent_failed", subagentId: "b", callId: "3" },
      { type: "orchestration", action: "subagent_completed", subagentId: "c", callId: "4" },
    ).read();
    expect(subagents).toBe(3);
  });

  it("has the result as its text, else the last thing that the main agent said", () => {
    const said: Given[] = [
      { type: "agent", message: "First." },
      { type: "agent", message: "Last." },
      { type: "agent", message: "Sub.", parentCallId: "c" },
      { type: "agent", message: "Prompt", role: "user" },
    ];
    expect(summaryOf(...said).read().text).toBe("Last.");
    expect(summaryOf(...said, { type: "result", isSuccess: true, text: "" }).read().text).toBe("Last.");
    expect(summaryOf(...said, { type: "result", isSuccess: true, text: "Answer." }).read().text).toBe(
      "Answer.",
    );
  });

  it("has tokens and cost of the run, and says whose figure the cost is", () => {
    const usage: Given = {
      type: "usage",
      scope: "run",
      inputTokens: 5,
      outputTokens: 0,
      totalTokens: 5,
      costUsd: 0.5,
    };
    expect(summaryOf(usage).read()).toMatchObject({
      usage: { scope: "run", inputTokens: 5, outputTokens: 0, totalTokens: 5 },
      costUsd: 0.5,
      costSource: "agent",
    });
    const estimated: Given = { type: "result", isSuccess: true, costUsd: 0.7, costSource: "estimated" };
    expect(summaryOf(usage, estimated).read()).toMatchObject({ costUsd: 0.7, costSource: "estimated" });
    expect(summaryOf({ type: "usage", scope: "step", totalTokens: 5 }).read().usage).toBeUndefined();
  });

  it("knows what was spent so far: the sum of the steps, until the run's own numbers come", () => {
    const step: Given = { type: "usage", scope: "step", totalTokens: 100, costUsd: 0.1 };
    expect(summaryOf().spent).toEqual({});
    expect(summaryOf(step, step).spent).toEqual({ tokens: 200, costUsd: 0.2 });
    const run: Given = { type: "usage", scope: "run", totalTokens: 180 };
    expect(summaryOf(step, step, run, step).spent).toEqual({ tokens: 180, costUsd: 0.2 });
  });

  it("says how the run ended", () => {
    expect(summaryOf(succeeded, completed).read().outcome).toEqual({
      isSuccess: true,
      reason: "completed",
      exitCode: 0,
    });
    expect(summaryOf(failed("boom"), exitedWithOne).read()).toMatchObject({
      outcome: { isSuccess: false, reason: "failed", exitCode: 1 },
      failure: { kind: "crash", message: "boom" },
    });
    expect(summaryOf(started).read().outcome).toBeUndefined();
  });

  it("keeps errors and warnings, and counts what no rule understood", () => {
    const { errors, warnings, unknown } = summaryOf(
      { type: "error", message: "bad", code: "E1" },
      { type: "warning", message: "careful" },
      { type: "unknown", raw: 1 },
    ).read();
    expect({ errors, warnings, unknown }).toEqual({
      errors: [{ message: "bad", code: "E1" }],
      warnings: [{ message: "careful" }],
      unknown: 1,
    });
  });

  it("is a copy that later events do not change", () => {
    const summary = summaryOf({ type: "write", path: "/a", isSuccess: true });
    const before = summary.read();
    const copy = structuredClone(before);
    for (const event of eventsOf(
      { type: "write", path: "/a", isSuccess: true },
      { type: "error", message: "x" },
    ))
      summary.add(event);
    expect(before).toEqual(copy);
  });

  it("takes any events in any order, and has no undefined in it", () => {
    fc.assert(
      fc.property(fc.array(arbitraryOf(HarnessEvent), { maxLength: 20 }), (events) => {
        const summary = createSummary();
        for (const event of events) summary.add(event);
        expect(JSON.parse(JSON.stringify(summary.read()))).toStrictEqual(summary.read());
      }),
    );
  });
});

describe("the summary of a live session", () => {
  const turn = (turnId: string): Given => ({ type: "turn", turnId, origin: "user", prompt: "Go" });
  const step = (turnId: string, tokens: number, costUsd: number): Given => ({
    type: "usage",
    turnId,
    scope: "step",
    totalTokens: tokens,
    costUsd,
  });
  const used = (turnId: string, tokens: number, costUsd: number): Given => ({
    type: "usage",
    turnId,
    scope: "turn",
    totalTokens: tokens,
    costUsd,
  });
  const ended = (turnId: string, costUsd?: number): Given => ({
    type: "turn_end",
    turnId,
    isSuccess: true,
    reason: "completed",
    ...(costUsd !== undefined && { costUsd }),
  });

  it("has spent the sum of its turns, and of the steps since then", () => {
    const first = [turn("a"), step("a", 100, 1), step("a", 100, 1), used("a", 250, 2.5), ended("a", 2.5)];
    expect(summaryOf(...first).spent).toEqual({ tokens: 250, costUsd: 2.5 });
    expect(summaryOf(...first, turn("b"), step("b", 10, 0.5)).spent).toEqual({ tokens: 260, costUsd: 3 });
  });

  it("counts a turn without numbers of its own by its steps, and its cost by its end", () => {
    const events = [turn("a"), step("a", 100, 1), ended("a", 4), turn("b"), step("b", 10, 1), ended("b")];
    expect(summaryOf(...events).spent).toEqual({ tokens: 110, costUsd: 5 });
  });

  it("says that some of what it has spent is estimated", () => {
    const estimated: Given = {
      type: "usage",
      turnId: "b",
      scope: "turn",
      costUsd: 1,
      costSource: "estimated",
    };
    const own = [turn("a"), used("a", 10, 1), ended("a")];
    expect(summaryOf(...own).spent).not.toHaveProperty("costSource");
    expect(summaryOf(...own, turn("b"), estimated, ended("b")).spent).toMatchObject({
      costUsd: 2,
      costSource: "estimated",
    });
  });

  it("has the numbers of the run as its own, not those of a turn", () => {
    const events = [turn("a"), used("a", 250, 2.5), ended("a", 2.5)];
    const under = summaryOf(...events).read();
    expect(under.usage).toBeUndefined();
    expect(under.costUsd).toBeUndefined();
    const whole = summaryOf(
      ...events,
      { type: "usage", scope: "run", totalTokens: 250, costUsd: 2.5 },
      succeeded,
      completed,
    );
    expect(whole.read()).toMatchObject({ usage: { scope: "run", totalTokens: 250 }, costUsd: 2.5 });
    expect(whole.spent).toEqual({ tokens: 250, costUsd: 2.5 });
  });

  it("has the answer of the result, and each turn its own", () => {
    const end = {
      type: "turn_end" as const,
      turnId: "a",
      isSuccess: true,
      reason: "completed" as const,
      text: "One",
    };
    const summary = summaryOf(
      turn("a"),
      end,
      turn("b"),
      { ...end, turnId: "b", text: "Two" },
      { type: "result", isSuccess: true, text: "Two" },
    );
    expect(summary.read()).toMatchObject({ text: "Two", turns: [{ text: "One" }, { text: "Two" }] });
  });

  it("does not change once it is read", () => {
    const summary = summaryOf(turn("a"));
    const before = summary.read();
    for (const event of eventsOf(ended("a"))) summary.add(event);
    expect(before.turns?.[0]).not.toHaveProperty("outcome");
    expect(summary.read().turns?.[0]).toHaveProperty("outcome");
  });
});
