import { describe, expect, it } from "vitest";
import { toSentLine } from "../../src/agents/process-per-turn.js";
import { requireAgent } from "../../src/agents/registry.js";
import { createSteps } from "../../src/agents/steps.js";
import type { EventOf, EventType, HarnessEvent } from "../../src/events/event.js";
import type { RawRecord } from "../../src/events/raw-record.js";

/** How a turn ends that has a process of its own, and what it leaves to the next one. */
const timestamp = "2026-01-01T00:00:00.000Z";

const prompt = (text: string, resume?: string): RawRecord => ({
  timestamp,
  stream: "sent",
  line: toSentLine({ harness: "prompt", prompt: text, resume }),
});
const out = (value: object): RawRecord => ({ timestamp, stream: "stdout", line: JSON.stringify(value) });
const err = (line: string): RawRecord => ({ timestamp, stream: "stderr", line });
const exit = (exitCode: number | null, about: object = {}): RawRecord => ({
  timestamp,
  stream: "process",
  exitCode,
  signal: null,
  ...about,
});
const init = out({ type: "system", subtype: "init", session_id: "s1", model: "opus", cwd: "/repo" });
const success = out({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "Done.",
  session_id: "s1",
  usage: { input_tokens: 10, output_tokens: 5 },
});

function play(agent: string, ...records: RawRecord[]): HarnessEvent[] {
  const steps = createSteps(requireAgent(agent), { live: "process", startedAt: timestamp, cwd: "/repo" });
  const all = steps.pushAll(records);
  all.push(steps.end({ exitCode: 0, stopped: true }, timestamp));
  return all.flatMap(({ events }) => events);
}

function of<T extends EventType>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

describe("the end of a turn with a process of its own", () => {
  it("is a failure if an error follows the success", () => {
    const failed = out({ type: "result", subtype: "error_during_execution", is_error: true, result: "lost" });
    const events = play("claude", prompt("one"), init, success, failed, exit(0));
    expect(of(events, "turn_end")).toMatchObject([{ reason: "failed" }]);
  });

  it("is not explained by what an earlier process said", () => {
    const events = play(
      "claude",
      ...[prompt("one"), init, err("Error: the disk is full"), exit(1)],
      ...[prompt("two", "s1"), init, exit(1)],
    );
    const [first, second] = of(events, "turn_end");
    expect(first?.failure?.message).toContain("the disk is full");
    expect(second?.failure?.message).not.toContain("the disk is full");
  });

  it("stays a success if harness stopped the process after its final message", () => {
    const events = play(
      "claude",
      prompt("one"),
      init,
      success,
      exit(null, { signal: "SIGTERM", stopped: true }),
    );
    expect(of(events, "turn_end")).toMatchObject([{ reason: "completed", text: "Done." }]);
    expect(of(events, "error")).toEqual([]);
  });

  it("names the limit that ended it, not the exit that followed", () => {
    const limit: RawRecord = {
      timestamp,
      stream: "harness",
      code: "turn_stalled",
      message: "silent for 5 s",
    };
    const interrupt: RawRecord = { timestamp, stream: "sent", line: toSentLine({ harness: "interrupt" }) };
    const events = play("claude", prompt("one"), init, limit, interrupt, exit(143));
    expect(of(events, "error")).toMatchObject([{ message: "silent for 5 s", code: "stalled" }]);
  });

  it("warns of a call that the process did not wait for, in this turn alone", () => {
    const call = { type: "tool_use", id: "c1", name: "Bash", input: { command: "sleep 9" } };
    const calling = out({ type: "assistant", message: { id: "m1", role: "assistant", content: [call] } });
    const events = play(
      "claude",
      ...[prompt("one"), init, calling, success, exit(0)],
      ...[prompt("two", "s1"), init, success, exit(0)],
    );
    const unfinished = of(events, "warning").filter(({ code }) => code === "unfinished");
    expect(unfinished).toMatchObject([{ turnId: "turn_1" }]);
  });

  it("estimates the cost of each turn with its own model", () => {
    const prices: Record<string, number> = { small: 1, large: 10 };
    const steps = createSteps(requireAgent("codex"), {
      live: "process",
      findPrice: (model) => ({ model, input: prices[model] ?? 0, output: 0 }),
    });
    const started = (model: string): RawRecord => out({ type: "thread.started", thread_id: model, model });
    const completed = out({ type: "turn.completed", usage: { input_tokens: 1e6, output_tokens: 1 } });
    const all = steps.pushAll([
      ...[prompt("one"), started("small"), completed, exit(0)],
      ...[prompt("two"), started("large"), completed, exit(0)],
    ]);
    const events = all.flatMap((step) => step.events);
    expect(of(events, "turn_end").map(({ costUsd }) => costUsd)).toEqual([1, 10]);
  });

  it("adds the tokens of a turn to an earlier count of the whole session", () => {
    const thread = out({ type: "thread.started", thread_id: "t1" });
    const completed = (input: number): RawRecord =>
      out({
        type: "turn.completed",
        usage: { input_tokens: input, cached_input_tokens: 0, output_tokens: 1 },
      });
    const events = play(
      "codex",
      ...[prompt("one"), thread, completed(100), exit(0)],
      ...[prompt("two", "t1"), thread, completed(250), exit(0)],
      ...[prompt("three"), thread, completed(40), exit(0)],
    );
    const totals = of(events, "usage").filter(({ scope }) => scope !== "step");
    expect(totals.map(({ scope, inputTokens }) => [scope, inputTokens])).toEqual([
      ["turn", 100],
      ["session", 250],
      ["turn", 40],
      ["session", 290],
    ]);
  });
});
