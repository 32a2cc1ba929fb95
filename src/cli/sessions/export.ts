import { extname } from "node:path";
import { HarnessError } from "../../errors.js";
import { knownExtensions, type OutputName, outputOfFile } from "../../outputs/registry.js";
import { type Recording, recordings } from "../../runs/archive/recordings.js";
import { formatBytes } from "../../text/numbers.js";
import { complain } from "../complain.js";
import { exitCodes } from "../exit-codes.js";
import { createOutput, type PrintTarget } from "../output.js";
import { standardTerminal } from "../printing/printer.js";
import { closeOutputFiles, openOutputFiles } from "../running/output-files.js";
import { type OutputTargets, outputTargets } from "../running/output-targets.js";
import { writeToFile } from "../write-to-file.js";
import type { ExportFlags } from "./command.js";
import { type Destination, printRecording, refuseUnreadable } from "./print-recording.js";
import { type RecordingReader, readerFor } from "./recorded-agent.js";

/** Writes a recorded run as documents or streams, to files or standard output. It is read once. */
export async function exportAction(id: string, flags: ExportFlags): Promise<number> {
  const targets = targetsOf(flags);
  const recording = await recordings.find(id);
  if (flags.otlp) return (await import("./send-spans.js")).sendSpans(recording, flags);
  const { outputFile } = flags;
  const formats = [targets.format, ...targets.files.map(({ name }) => name)].filter(
    (name) => name !== undefined,
  );
  const reader = readerFor(recording, formats);
  await refuseUnreadable(recording, reader, formats);
  const given: Export = { recording, reader, targets, flags };
  if (targets.format === undefined) return writeAll(given);
  if (outputFile === undefined || outputFile === "-") return writeAll(given, createOutput(process.stdout));
  let exitCode: number = exitCodes.success;
  const size = await writeToFile(outputFile, async (output) => {
    exitCode = await writeAll(given, output);
  });
  complain(`wrote ${outputFile} (${formatBytes(size)})`);
  return exitCode;
}

interface ExportTargets extends Pick<OutputTargets, "files"> {
  /** Undefined: standard output and `--output-file` get nothing. */
  format: OutputName | undefined;
}

/** Files of `--output` are all that is written, unless something else is asked for. */
function targetsOf(flags: ExportFlags): ExportTargets {
  const { format, output = [], outputFile } = flags;
  const isAsked = format !== undefined || outputFile !== undefined;
  const copy = outputFile === "-" ? undefined : outputFile;
  const { files, ...printed } = outputTargets({ format, output, outputFile: copy }, "markdown");
  if (format !== undefined || files.length < output.length) return { files, format: printed.format };
  return { files, format: isAsked || files.length === 0 ? formatOfName(copy) : undefined };
}

/** A file with another extension (`run.pdf`) is refused, rather than filled with a transcript. */
function formatOfName(file: string | undefined): OutputName {
  if (file === undefined || extname(file) === "") return "markdown";
  const format = outputOfFile(file);
  if (format !== undefined) return format;
  const known = knownExtensions.join(" ");
  const message = `the extension of ${file} does not say which format is meant; choose one with --format, or use one of ${known}`;
  throw new HarnessError("unknown_format", message);
}

interface Export {
  recording: Recording;
  reader: RecordingReader;
  targets: ExportTargets;
  flags: ExportFlags;
}

/** `output`: where the output without a file goes. */
async function writeAll(
  { recording, reader, targets, flags }: Export,
  output?: PrintTarget,
): Promise<number> {
  const files = openOutputFiles(targets);
  const about = { meta: recording.meta, outcome: recording.outcome };
  const document = { about, isFull: flags.full, hasContents: flags.otlpContents };
  const terminal = flags.outputFile === undefined ? standardTerminal() : undefined;
  const { format } = targets;
  const printed: Destination[] =
    output === undefined || format === undefined ? [] : [{ format, output, terminal, ...document }];
  const destinations = [...printed, ...files.map((file) => ({ ...file, ...document }))];
  await printRecording(recording, { reader, destinations });
  return closeOutputFiles(files) ? exitCodes.success : exitCodes.notWritten;
}
