import { extname } from "node:path";
import { HarnessError } from "../../errors.js";
import { knownExtensions, type OutputName, outputOfExtension } from "../../outputs/registry.js";
import { exportRecording } from "../../runs/archive/export.js";
import { type Recording, recordings } from "../../runs/archive/recordings.js";
import { formatBytes } from "../../text/numbers.js";
import { complain } from "../complain.js";
import { createOutput, type PrintTarget } from "../output.js";
import { standardTerminal } from "../printing/printer.js";
import { writeToFile } from "../write-to-file.js";
import type { ExportFlags } from "./command.js";
import { printRecording } from "./print-recording.js";
import { readerOf, readerWithWarning } from "./recorded-agent.js";

/** Writes a recorded run as a document or a stream, to a file or standard output. */
export async function exportAction(id: string, flags: ExportFlags): Promise<number> {
  const recording = await recordings.find(id);
  const { outputFile } = flags;
  const format = flags.format ?? formatOfName(outputFile);
  const write = await prepare(recording, format, flags);
  if (outputFile === undefined || outputFile === "-") {
    await write(createOutput(process.stdout));
    return 0;
  }
  const size = await writeToFile(outputFile, write);
  complain(`wrote ${outputFile} (${formatBytes(size)})`);
  return 0;
}

/** A file with another extension (`run.pdf`) is refused, rather than filled with a transcript. */
function formatOfName(file: string | undefined): OutputName {
  const extension = extname(file ?? "").toLowerCase();
  if (extension === "") return "markdown";
  const format = outputOfExtension(extension);
  if (format !== undefined) return format;
  const known = knownExtensions.join(" ");
  const message = `the extension of ${file} does not say which format is meant; choose one with --format, or use one of ${known}`;
  throw new HarnessError("unknown_format", message);
}

/** Reads the recording first, so that a problem with it is found before the file is touched. */
async function prepare(
  recording: Recording,
  format: OutputName,
  { full, outputFile }: ExportFlags,
): Promise<(output: PrintTarget) => Promise<void>> {
  const reader = format === "raw" ? readerOf(recording) : readerWithWarning(recording);
  if (format !== "markdown" && format !== "html") {
    const terminal = outputFile === undefined ? standardTerminal() : undefined;
    return (output) => printRecording(recording, { format, output, terminal, reader });
  }
  const text = await exportRecording(recording, { format, isFull: full, ...reader });
  return async (output) => {
    await output.write(text);
  };
}
