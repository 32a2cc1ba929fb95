import { recordings } from "../../runs/archive/recordings.js";
import { cancelOnSignals } from "../ending-signals.js";
import { exitCodeOfSignal, exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { standardTerminal } from "../printing/printer.js";
import type { ReplayFlags } from "./command.js";
import { printRecording } from "./print-recording.js";
import { readerOf, readerWithWarning } from "./recorded-agent.js";

/** Prints a recorded run again, with its original timing. */
export async function replayAction(id: string, flags: ReplayFlags): Promise<number> {
  const recording = await recordings.find(id);
  const output = createOutput(process.stdout);
  const stopped = new AbortController();
  output.onClose(() => stopped.abort());
  const watch = cancelOnSignals(() => stopped.abort());
  const reader = flags.format === "raw" ? readerOf(recording) : readerWithWarning(recording);
  await printRecording(recording, {
    reader,
    format: flags.format,
    output,
    terminal: standardTerminal(),
    showsThinking: flags.thinking,
    speed: flags.speed,
    signal: stopped.signal,
  });
  watch.stop();
  return watch.signal === undefined ? exitCodes.success : exitCodeOfSignal(watch.signal);
}
