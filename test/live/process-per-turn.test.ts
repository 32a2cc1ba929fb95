import { describe, expect, it } from "vitest";
import { toSentLine } from "../../src/agents/process-per-turn.js";
import { requireAgent } from "../../src/agents/registry.js";
import { createSteps } from "../../src/agents/steps.js";
import type { HarnessEvent } from "../../src/events/event.js";
import type { RawRecord } from "../../src/events/raw-record.js";

const at = "2026-01-01T00:00:00.000Z";

/** The events of a session of Claude Code with one process per turn. */
function eventsOf(records: RawRecord[], closed = true): HarnessEvent[] {
  const steps = createSteps(requireAgent("claude"), { live: "process", startedAt: at, cwd: "/repo" });
  const all = steps.pushAll(records);
  if (closed) all.push(steps.end({ exitCode: 0, stopped: true }, at));
  return all.flatMap(({ events }) => events);
}

const sent = (line: string, turnId?: string): RawRecord => ({
  timestamp: at,
  stream: "sent",
  line,
  ...(turnId !== undefined && { turnId }),
});
const out = (value: object): RawRecord => ({ timestamp: at, stream: "stdout", line: JSON.stringify(value) });
const exit = (exitCode: number, signal: string | null = null): RawRecord => ({
  timestamp: at,
  stream: "process",
  exitCode,
  signal,
});
const init = out({ type: "system", subtype: "init", session_id: "s1", model: "opus", cwd: "/repo" });
const result = (text: string, cost: number): RawRecord =>
  out({
    type: "result",
    subtype: "success",
    is_error: false,
    result: text,
    total_cost_usd: cost,
    usage: { input_tokens: 10, output_tokens: 5 },
    session_id: "s1",
  });
const prompt = (text: string, turnId?: string): RawRecord =>
  sent(toSentLine({ harness: "prompt", prompt: text }), turnId);

describe("a session with a process per turn", () => {
  const events = eventsOf([
    prompt("one", "t-1"),
    init,
    result("First.", 0.5),
    exit(0),
    prompt("two", "t-2"),
    init,
    result("Second.", 0.25),
    exit(0),
  ]);
  const types = events.map(({ type }) => type);

  it("has one start, one session, one result and one end, and a turn for each prompt", () => {
    expect(types.filter((type) => type === "started" || type === "session")).toEqual(["started", "session"]);
    expect(types.slice(-2)).toEqual(["result", "exited"]);
    expect(events.flatMap((event) => (event.type === "turn" ? [event.prompt] : []))).toEqual(["one", "two"]);
    expect(types.indexOf("session")).toBeLessThan(types.indexOf("turn"));
  });

  it("reports each turn with its own figures, and their sum at the end", () => {
    const ends = events.filter((event) => event.type === "turn_end");
    expect(ends).toMatchObject([
      { turnId: "t-1", isSuccess: true, reason: "completed", text: "First.", costUsd: 0.5 },
      { turnId: "t-2", isSuccess: true, reason: "completed", text: "Second.", costUsd: 0.25 },
    ]);
    const usage = events.filter((event) => event.type === "usage" && event.scope !== "step");
    expect(usage).toMatchObject([
      { scope: "turn", outputTokens: 5, turnId: "t-1" },
      { scope: "turn", outputTokens: 5, turnId: "t-2" },
      { scope: "run", outputTokens: 10 },
    ]);
    expect(events.at(-2)).toMatchObject({ type: "result", isSuccess: true, text: "Second.", costUsd: 0.75 });
  });

  it("ends a turn whose process dies as failed, and goes on", () => {
    const list = eventsOf([prompt("one"), init, exit(1), prompt("two"), init, result("Second.", 0), exit(0)]);
    const ends = list.filter((event) => event.type === "turn_end");
    expect(ends).toMatchObject([
      { turnId: "turn_1", isSuccess: false, reason: "failed", failure: { kind: "crash" } },
      { turnId: "turn_2", isSuccess: true },
    ]);
    expect(list.filter(({ type }) => type === "error")).toHaveLength(1);
    expect(list.at(-1)).toMatchObject({ type: "exited", reason: "completed" });
  });

  it("ends an interrupted turn as interrupted", () => {
    const interrupt = sent(toSentLine({ harness: "interrupt" }));
    const list = eventsOf([prompt("one"), init, interrupt, exit(130)]);
    expect(list.find((event) => event.type === "turn_end")).toMatchObject({ reason: "interrupted" });
    expect(list.filter(({ type }) => type === "error")).toHaveLength(0);
    expect(list.at(-2)).toMatchObject({ type: "result", isSuccess: false, failure: { kind: "cancelled" } });
  });

  it("ends a turn for which a limit was reached with the limit as its failure", () => {
    const limit: RawRecord = {
      timestamp: at,
      stream: "harness",
      code: "turn_timed_out",
      message: "too long",
    };
    const interrupt = sent(toSentLine({ harness: "interrupt" }));
    const list = eventsOf([prompt("one"), init, limit, interrupt, exit(130)]);
    expect(list.find((event) => event.type === "turn_end")).toMatchObject({
      reason: "failed",
      failure: { kind: "timed_out", message: "too long" },
    });
  });
});
