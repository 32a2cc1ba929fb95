import { describe, expect, it } from "vitest";
import { codex } from "../../src/agents/codex/definition.js";
import { createSteps } from "../../src/agents/steps.js";
import type { HarnessEvent } from "../../src/events/event.js";
import type { RawRecord } from "../../src/events/raw-record.js";
import type { Step } from "../../src/events/step.js";

const timestamp = "2026-01-01T00:00:01.000Z";

function line(text: string): RawRecord {
  return { timestamp, stream: "stdout", line: text };
}

const exit: RawRecord = { timestamp, stream: "exit", exitCode: 0, signal: null, reason: "completed" };

function typesOf(steps: readonly Step[]): HarnessEvent["type"][][] {
  return steps.map(({ events }) => events.map(({ type }) => type));
}

describe("the step machine", () => {
  it("begins with the start of the run, once, at the time of the first record", () => {
    const steps = createSteps(codex);
    expect(steps.pushAll([])).toEqual([]);
    const [start, first] = steps.pushAll([line("hello")]);
    expect(start?.record).toBeUndefined();
    expect(start?.events).toMatchObject([{ type: "started", timestamp }]);
    expect(first?.record).toEqual(line("hello"));
    expect(steps.start(timestamp)).toEqual([]);
    expect(typesOf(steps.pushAll([line("again")]))).toHaveLength(1);
  });

  it("starts when the run was started, where that is known", () => {
    const startedAt = "2026-01-01T00:00:00.000Z";
    const [start] = createSteps(codex, { startedAt }).pushAll([]);
    expect(start?.events).toMatchObject([{ type: "started", timestamp: startedAt }]);
  });

  it("names the rule of a line that gave nothing", () => {
    const [, step] = createSteps(codex).pushAll([line("")]);
    expect(step).toEqual({ record: line(""), events: [], rule: "blank line" });
  });

  it("ends with an exit record, and only once", () => {
    const steps = createSteps(codex);
    const pushed = steps.pushAll([exit]);
    expect(typesOf(pushed).at(-1)).toContain("exited");
    expect(steps.hasEnded).toBe(true);
    expect(steps.interrupted()).toEqual([]);
  });

  it("ends records without an exit as interrupted", () => {
    const steps = createSteps(codex);
    steps.pushAll([line("hello")]);
    const [end] = steps.interrupted();
    expect(end?.record).toBeUndefined();
    expect(end?.events.at(-1)).toMatchObject({ type: "exited", reason: "interrupted", timestamp });
    expect(steps.interrupted()).toEqual([]);
  });

  it("ends them as the sidecar says, after a warning, if it has the outcome", () => {
    const steps = createSteps(codex);
    steps.pushAll([line("hello")]);
    const outcome = { isSuccess: true, reason: "completed" } as const;
    const endedAt = "2026-01-01T00:01:00.000Z";
    const [end] = steps.interrupted({ outcome, exitCode: 0, endedAt, problem: "the disk is full" });
    expect(end?.events).toMatchObject([
      { type: "warning", code: "recording_failed", message: "the disk is full" },
      { type: "result", isSuccess: true },
      { type: "exited", reason: "completed", exitCode: 0, timestamp: endedAt },
    ]);
  });

  it("takes an unknown reason in a damaged sidecar for none", () => {
    const steps = createSteps(codex);
    steps.pushAll([line("hello")]);
    const damaged = JSON.parse('{"outcome":{"isSuccess":true,"reason":"fine"}}');
    expect(steps.interrupted(damaged)[0]?.events.at(-1)).toMatchObject({ reason: "interrupted" });
  });
});
