import { expect, it } from "vitest";
import { printRecording } from "../../src/cli/sessions/print-recording.js";
import { readerOf } from "../../src/cli/sessions/recorded-agent.js";
import type { OutputName } from "../../src/outputs/registry.js";
import { openRecording } from "../../src/runs/archive/recording.js";
import { recordCapture } from "../runs/archive/recordings.js";
import { temporaryDirectory } from "../runs/test-agent.js";

async function printed(format: OutputName, signal?: AbortSignal): Promise<string> {
  const directory = temporaryDirectory();
  const recording = openRecording(directory, recordCapture(directory, "claude", "text"));
  let text = "";
  const output = {
    write(piece: string | Uint8Array) {
      text += piece;
      return undefined;
    },
    isClosed: false,
    onClose: () => undefined,
  };
  const destinations = [{ format, output }];
  await printRecording(recording, { destinations, reader: readerOf(recording), signal });
  return text;
}

it.each(["markdown", "html", "json", "atif"] as const)(
  "a replay that was stopped prints no part of a document: %s",
  async (format) => {
    expect(await printed(format)).not.toBe("");
    expect(await printed(format, AbortSignal.abort())).toBe("");
  },
);
