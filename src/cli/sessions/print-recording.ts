import type { Recording } from "../../runs/archive/recordings.js";
import { createReplay, type ReplayOptions } from "../../runs/archive/replay.js";
import { readPatch } from "../../runs/recording/read-patch.js";
import type { PrintTarget } from "../output.js";
import { createPrinter, type PrinterOptions } from "../printing/printer.js";
import type { RecordingReader } from "./recorded-agent.js";

export interface PrintOptions
  extends Pick<PrinterOptions, "format" | "terminal" | "showsThinking">,
    Pick<ReplayOptions, "speed" | "signal"> {
  output: PrintTarget;
  reader: RecordingReader;
}

/** Prints a recorded run as a live run is printed. Ends early if the reader goes away. */
export async function printRecording(recording: Recording, options: PrintOptions): Promise<void> {
  const { speed, signal, reader, ...rest } = options;
  const { agent } = reader;
  // What the agent printed can be shown without its definition.
  const asRecorded = reader.asRecorded && options.format !== "raw";
  const { prompt } = recording.meta;
  // The .meta.json may be damaged, or written by another program.
  const permissions = typeof recording.meta.permissions === "string" ? recording.meta.permissions : undefined;
  const printer = await createPrinter({
    ...rest,
    agent,
    prompt,
    permissions,
    recording: () => recording.paths.ndjson,
    patch: () => readPatch(recording.paths.patch),
  });
  try {
    for await (const steps of createReplay(recording, { speed, signal, agent, asRecorded }).batches()) {
      await printer.print({ steps });
      if (options.output.isClosed) return;
    }
    // A replay that was stopped has no end: half a document would claim that the run still goes on.
    if (!signal?.aborted) await printer.end();
  } finally {
    printer.close();
  }
}
