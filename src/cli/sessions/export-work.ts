import type { OutputName } from "../../outputs/registry.js";
import { recordings } from "../../runs/archive/recordings.js";
import type { Work } from "../many/job.js";
import type { ExportFlags } from "./command.js";
import { type Destination, printRecording, refuseUnreadable } from "./print-recording.js";
import { readerFor } from "./recorded-agent.js";

/** What all runs of one `sessions export` share. */
export interface ExportSetup {
  flags: Pick<ExportFlags, "full" | "otlpContents">;
  /** What is printed on standard output, if anything is. */
  format: OutputName | undefined;
  /** Everything that is printed or written. */
  names: readonly OutputName[];
}

/** Exports recordings one after the other, in the main thread or in a worker. Each is read once. */
export async function openExportWork({ flags, format, names }: ExportSetup): Promise<Work<{ id: string }>> {
  return async ({ id }, { output, openFiles }) => {
    const recording = await recordings.find(id);
    const reader = readerFor(recording, names);
    await refuseUnreadable(recording, reader, names);
    const about = { meta: recording.meta, outcome: recording.outcome };
    const document = { about, isFull: flags.full, hasContents: flags.otlpContents };
    const printed: Destination[] = format === undefined ? [] : [{ format, output, ...document }];
    const files = openFiles().map((file) => ({ ...file, ...document }));
    await printRecording(recording, { reader, destinations: [...printed, ...files] });
  };
}
