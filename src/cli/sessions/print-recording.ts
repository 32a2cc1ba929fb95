import type { OutputName } from "../../outputs/registry.js";
import type { Recording } from "../../runs/archive/recordings.js";
import { createReplay, type ReplayOptions } from "../../runs/archive/replay.js";
import { readPatch } from "../../runs/recording/read-patch.js";
import { checkOfRecording } from "../../runs/recording/recorded-check.js";
import type { PrintTarget } from "../output.js";
import { createPrinter, type Printer, type PrinterOptions } from "../printing/printer.js";
import type { RecordingReader } from "./recorded-agent.js";

/** One output of a recording, and where it goes. */
export interface Destination
  extends Pick<PrinterOptions, "format" | "terminal" | "showsThinking" | "isFull" | "about" | "hasContents"> {
  output: PrintTarget;
}

export interface PrintOptions extends Pick<ReplayOptions, "speed" | "signal"> {
  reader: RecordingReader;
  destinations: readonly Destination[];
}

/** Prints a recorded run as a live run is printed, once for each destination. Ends early if all readers have gone away. */
export async function printRecording(recording: Recording, options: PrintOptions): Promise<void> {
  const { reader, destinations } = options;
  if (!reader.asRecorded) return play(recording, options);
  // What the agent printed can be shown without its definition, and only that.
  const raw = destinations.filter(({ format }) => format === "raw");
  const others = destinations.filter(({ format }) => format !== "raw");
  await Promise.all([
    play(recording, { ...options, destinations: raw, reader: { ...reader, asRecorded: false } }),
    play(recording, { ...options, destinations: others }),
  ]);
}

async function play(
  recording: Recording,
  { reader, destinations, speed, signal }: PrintOptions,
): Promise<void> {
  if (destinations.length === 0) return;
  const printers = await Promise.all(destinations.map((one) => openPrinter(recording, one, reader)));
  try {
    for await (const steps of createReplay(recording, { speed, signal, ...reader }).batches()) {
      await Promise.all(printers.map((printer) => printer.print({ steps })));
      if (destinations.every(({ output }) => output.isClosed)) return;
    }
    // A replay that was stopped has no end: half a document would claim that the run still goes on.
    if (!signal?.aborted) await Promise.all(printers.map((printer) => printer.end()));
  } finally {
    for (const printer of printers) printer.close();
  }
}

function openPrinter(
  recording: Recording,
  destination: Destination,
  { agent }: RecordingReader,
): Promise<Printer> {
  const { prompt, permissions, agentVersion } = recording.meta;
  const check = checkOfRecording(recording.meta);
  return createPrinter({
    ...destination,
    agent,
    prompt,
    // The .meta.json may be damaged, or written by another program.
    agentVersion: typeof agentVersion === "string" ? agentVersion : undefined,
    permissions: typeof permissions === "string" ? permissions : undefined,
    recording: () => recording.paths.ndjson,
    patch: () => readPatch(recording.paths.patch),
    check: check && (() => check),
  });
}

/** A problem with the recording is found before a file is touched. */
export async function refuseUnreadable(
  recording: Recording,
  { agent, asRecorded }: RecordingReader,
  formats: readonly OutputName[],
): Promise<void> {
  const isRaw = formats.every((format) => format === "raw");
  const replay = createReplay(recording, { agent, asRecorded: asRecorded && !isRaw });
  for await (const _ of replay.batches()) return;
}
