import { recordings } from "../../runs/archive/recordings.js";
import { cancelOnSignals } from "../ending-signals.js";
import { exitCodeOfSignal, exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { standardTerminal } from "../printing/printer.js";
import { closeOutputFiles, openOutputFiles } from "../running/output-files.js";
import type { OutputTargets } from "../running/output-targets.js";
import type { ReplayFlags } from "./command.js";
import { type Destination, printRecording, refuseUnreadable } from "./print-recording.js";
import { readerFor } from "./recorded-agent.js";

/** Prints a recorded run again, with its original timing. */
export async function replayAction(id: string, flags: ReplayFlags, targets: OutputTargets): Promise<number> {
  const recording = await recordings.find(id);
  const output = createOutput(process.stdout);
  const stopped = new AbortController();
  const watch = cancelOnSignals(() => stopped.abort());
  const printed: Destination = {
    format: targets.format,
    output,
    terminal: standardTerminal(),
    showsThinking: flags.thinking,
  };
  const formats = [targets.format, ...targets.files.map(({ name }) => name)];
  const reader = readerFor(recording, formats);
  await refuseUnreadable(recording, reader, formats);
  const files = openOutputFiles(targets);
  // The pauses are for whoever watches. Files are written to their end.
  output.onClose(() => files.length === 0 && stopped.abort());
  const destinations = [printed, ...files];
  await printRecording(recording, { reader, destinations, speed: flags.speed, signal: stopped.signal });
  watch.stop();
  const isWritten = closeOutputFiles(files);
  if (watch.signal !== undefined) return exitCodeOfSignal(watch.signal);
  return isWritten ? exitCodes.success : exitCodes.notWritten;
}
