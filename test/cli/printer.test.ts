import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createPrinter, type PrintedBatch } from "../../src/cli/printing/printer.js";
import { beginRun } from "../../src/live/run.js";
import type { StepBatch } from "../../src/runs/recording/step-batch.js";
import { program, temporaryDirectory, testAgent } from "../runs/test-agent.js";

async function recordedBatches(): Promise<{ batches: StepBatch[]; recording: string }> {
  const running = beginRun({
    agent: testAgent,
    prompt: "speak",
    binary: program("speak-again"),
    sessionsDirectory: temporaryDirectory(),
  });
  const batches: StepBatch[] = [];
  for await (const batch of running.recordedBatches()) batches.push(batch);
  const { recording = "" } = await running.result;
  return { batches, recording };
}

async function printed(batches: readonly PrintedBatch[]): Promise<string> {
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
  for (const batch of batches) await printer.print(batch);
  await printer.end();
  printer.close();
  return text;
}

describe("printing a format that is recorded", () => {
  it("prints what the recording has, byte for byte, without formatting it again", async () => {
    const { batches, recording } = await recordedBatches();
    const first = batches.map((batch) => batch.pieces("ndjson"));
    expect(await printed(batches)).toBe(readFileSync(recording, "utf8"));
    for (const [index, batch] of batches.entries()) expect(batch.pieces("ndjson")).toBe(first[index]);
  });

  it("prints the same of a replay, which nobody records", async () => {
    const { batches, recording } = await recordedBatches();
    expect(await printed(batches.map(({ steps }) => ({ steps })))).toBe(readFileSync(recording, "utf8"));
  });
});
