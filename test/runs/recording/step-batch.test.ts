import { describe, expect, it } from "vitest";
import { codex } from "../../../src/agents/codex/definition.js";
import { createSteps } from "../../../src/agents/steps.js";
import type { RawRecord } from "../../../src/events/raw-record.js";
import { createRecorder } from "../../../src/runs/recording/recorder.js";
import { createBatches, type StepBatch } from "../../../src/runs/recording/step-batch.js";
import { temporaryDirectory } from "../test-agent.js";

const timestamp = "2026-01-01T00:00:00.000Z";

function batches(): StepBatch[] {
  const toBatch = createBatches();
  const steps = createSteps(codex, { runId: "r", startedAt: timestamp });
  const line: RawRecord = {
    timestamp,
    stream: "stdout",
    line: '{"type":"turn.failed","error":{"message":"no"}}',
  };
  return [toBatch(steps.pushAll([])), toBatch([steps.push(line)]), toBatch([steps.end({ exitCode: 1 })])];
}

describe("a batch", () => {
  it("is formatted once, whoever asks", () => {
    const [, batch] = batches();
    expect(batch?.pieces("events")).not.toEqual([]);
    expect(batch?.pieces("events")).toBe(batch?.pieces("events"));
  });
});

describe("a recorder whose places have failed", () => {
  it("formats nothing any more", () => {
    const meta = { runId: "r", agent: "codex", cwd: "", prompt: "", argv: [], envNames: [], permissions: "" };
    const recorder = createRecorder({
      sessionsDirectory: "/dev/null/nowhere",
      recordTo: "/dev/null/nowhere",
      meta: { ...meta, startedAt: timestamp },
    });
    expect(recorder.open()).toHaveLength(2);
    const asked: string[] = [];
    for (const batch of batches()) {
      const watched: StepBatch = {
        steps: batch.steps,
        pieces(name) {
          asked.push(name);
          return batch.pieces(name);
        },
      };
      expect(recorder.write(watched)).toEqual([]);
    }
    expect(asked).toEqual([]);
  });

  it("formats only what its places keep", () => {
    const meta = { runId: "r", agent: "codex", cwd: "", prompt: "", argv: [], envNames: [], permissions: "" };
    const recorder = createRecorder({
      recordTo: temporaryDirectory(),
      meta: { ...meta, startedAt: timestamp },
    });
    expect(recorder.open()).toEqual([]);
    const [batch] = batches();
    const asked: string[] = [];
    recorder.write({
      steps: batch?.steps ?? [],
      pieces(name) {
        asked.push(name);
        return batch?.pieces(name) ?? [];
      },
    });
    recorder.close({});
    expect(asked).toEqual(["events"]);
  });
});
