import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { type AgentDefinition, defaultPermissions } from "../../agents/definition.js";
import type { EventOf } from "../../events/event.js";
import type { Step } from "../../events/step.js";
import { permissionsName } from "../../live/rules/rule.js";
import { beginRun } from "../../live/run.js";
import type { OutputName } from "../../outputs/registry.js";
import { patchBeside } from "../../runs/recording/read-patch.js";
import type { RunUnderWay } from "../../runs/start-run.js";
import type { Task } from "../../runs/task.js";
import { complain } from "../complain.js";
import { cancelOnSignals, type SignalWatch } from "../ending-signals.js";
import { exitCodeOf, exitCodes } from "../exit-codes.js";
import { openNamedPipe } from "../named-pipe.js";
import type { PrintTarget, StandardOutput } from "../output.js";
import type { LiveTerminal } from "../printing/live-printer.js";
import { createPrinter, type Printer, standardTerminal } from "../printing/printer.js";
import { createQuietPrinter } from "../printing/quiet-printer.js";
import { createFileOutput, createPipeOutput, type FileOutput } from "./file-output.js";

/** How a run is printed. */
export interface PrintFlags {
  format: OutputName;
  thinking: boolean | undefined;
  quiet: boolean | undefined;
  outputFile: string | undefined;
}

/** Runs a task and prints its stream as it comes. Resolves to the exit code for how it ended. */
export async function printRun(
  task: Task,
  agent: AgentDefinition,
  flags: PrintFlags,
  output: StandardOutput,
): Promise<number> {
  keepHeapSmall();
  const pipe = flags.outputFile === undefined ? undefined : openNamedPipe(flags.outputFile);
  const running = beginRun(task);
  // Before anything else is loaded: from here on the agent waits for us, and nothing of its output is lost.
  const batches = running.recordedBatches();
  output.onClose(() => running.cancel());
  let file: FileOutput | undefined;
  const watch = watchSignals(running, () => {
    output.abandon();
    file?.abandon();
  });
  file = flags.outputFile === undefined ? undefined : openOutputFile(flags.outputFile, pipe);
  const printed = { task, agent, flags, running };
  const filePrinter = file && (await openPrinter(printed, { output: file, complain: () => undefined }));
  const printer = await openPrinter(printed, { output, complain, terminal: standardTerminal() });
  const end: RunEnd = {};
  try {
    for await (const batch of batches) {
      noteEnd(batch.steps, end);
      await filePrinter?.print(batch);
      await printer.print(batch);
    }
    await filePrinter?.end();
    await printer.end();
  } finally {
    printer.close();
  }
  const { recordingProblems = [] } = await running.result;
  watch.stop();
  file?.close();
  for (const problem of recordingProblems) complain(problem);
  if (end.result === undefined || end.exited === undefined) throw new Error("the run ended without a result");
  const signal = watch.signal ?? (output.isClosed ? "SIGPIPE" : undefined);
  const exitCode = exitCodeOf(end.result, end.exited, signal);
  const isUnwritten = recordingProblems.length > 0 || file?.hasFailed === true;
  return exitCode === exitCodes.success && isUnwritten ? exitCodes.notWritten : exitCode;
}

/** After a signal, we wait this long for a stalled reader. */
const readerPatienceMs = 5000;
/** After a second signal. */
const shortPatienceMs = 500;

/** Cancels the run on a signal. After its end, `giveUp` ends the wait for readers that have stalled. */
function watchSignals(running: RunUnderWay, giveUp: () => void): SignalWatch {
  let hasEnded = false;
  const giveUpLater = (): void => {
    if (!hasEnded || watch.count === 0) return;
    setTimeout(giveUp, watch.count > 1 ? shortPatienceMs : readerPatienceMs).unref();
  };
  const watch = cancelOnSignals(() => {
    running.cancel();
    giveUpLater();
  });
  running.result.then(() => {
    hasEnded = true;
    giveUpLater();
  });
  return watch;
}

interface PrintedRun {
  task: Task;
  agent: AgentDefinition;
  flags: PrintFlags;
  running: RunUnderWay;
}

interface Destination {
  output: PrintTarget;
  terminal?: LiveTerminal | undefined;
  /** Says why there is no answer. Does nothing for the output file, so that the reason is printed once. */
  complain(sentence: string): void;
}

async function openPrinter(
  { task, agent, flags, running }: PrintedRun,
  { output, terminal, complain }: Destination,
): Promise<Printer> {
  if (flags.quiet) return createQuietPrinter({ agent, output, isTerminal: terminal !== undefined, complain });
  return createPrinter({
    format: flags.format,
    agent,
    output,
    terminal,
    prompt: running.prompt,
    permissions: permissionsName(task.permissions ?? defaultPermissions),
    recording: () => running.recording,
    patch: () => patchBeside(running.recording),
    showsThinking: flags.thinking,
    stopping: () => running.stopping,
  });
}

function openOutputFile(path: string, pipe: Socket | undefined): FileOutput {
  return pipe === undefined ? createFileOutput(path, complain) : createPipeOutput(pipe, path, complain);
}

interface RunEnd {
  result?: EventOf<"result">;
  exited?: EventOf<"exited">;
}

function noteEnd(steps: readonly Step[], end: RunEnd): void {
  for (const event of steps.at(-1)?.events ?? []) {
    if (event.type === "result") end.result = event;
    if (event.type === "exited") end.exited = event;
  }
}

/**
 * Keeps the heap of this process small, for good. Everything made for a line is garbage a moment later. By default V8
 * lets the heap grow to three times the size, which is not faster (bench/README.md, "memory").
 */
function keepHeapSmall(): void {
  setFlagsFromString("--optimize-for-size");
}
