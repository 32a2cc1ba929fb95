import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createPrinter } from "../../src/cli/printing/printer.js";
import type { Step } from "../../src/events/step.js";
import { recordedBatch } from "../../src/runs/recording/recorded-items.js";
import { run } from "../../src/runs/run.js";
import { program, temporaryDirectory, testAgent } from "../runs/test-agent.js";

async function recordedBatches(): Promise<{ batches: (readonly Step[])[]; recording: string }> {
  const running = run({
    agent: testAgent,
    prompt: "speak",
    binary: program("speak-again"),
    sessionsDirectory: temporaryDirectory(),
  });
  const batches: (readonly Step[])[] = [];
  for await (const steps of running.batches()) batches.push(steps);
  const { recording = "" } = await running.result;
  return { batches, recording };
}

async function printed(batches: readonly (readonly Step[])[]): Promise<string> {
  let text = "";
  const output = {
    write(piece: string | Uint8Array) {
      text += piece;
      return undefined;
    },
    isClosed: false,
    onClose: () => undefined,
  };
  const printer = await createPrinter({ format: "ndjson", agent: testAgent, output });
  for (const steps of batches) await printer.print(steps);
  printer.close();
  return text;
}

describe("printing a format that is recorded", () => {
  it("prints what the recording has, byte for byte", async () => {
    const { batches, recording } = await recordedBatches();
    expect(batches.every((steps) => recordedBatch(steps, "ndjson") !== undefined)).toBe(true);
    expect(await printed(batches)).toBe(readFileSync(recording, "utf8"));
  });

  it("prints the same of a run that is not recorded", async () => {
    const { batches, recording } = await recordedBatches();
    // A copy of a batch is one that nobody has recorded.
    expect(await printed(batches.map((steps) => [...steps]))).toBe(readFileSync(recording, "utf8"));
  });
});
