import type { Socket } from "node:net";
import { type AgentDefinition, defaultPermissions } from "../../agents/definition.js";
import type { EventOf } from "../../events/event.js";
import type { Step } from "../../events/step.js";
import type { OutputName } from "../../outputs/registry.js";
import { beginRun } from "../../runs/run.js";
import type { Task } from "../../runs/task.js";
import { complain } from "../complain.js";
import { exitCodeOf, exitCodes } from "../exit-codes.js";
import { openNamedPipe } from "../named-pipe.js";
import type { Output, StandardOutput } from "../output.js";
import type { LiveTerminal } from "../printing/live-printer.js";
import { createPrinter, type Printer, standardTerminal } from "../printing/printer.js";
import { createQuietPrinter } from "../printing/quiet-printer.js";
import { cancelOnSignals } from "./cancel-on-signals.js";
import { createFileOutput, type FileOutput } from "./file-output.js";
import { createPipeOutput } from "./pipe-output.js";
import { keepHeapSmall } from "./small-heap.js";

/** How a run is printed. */
export interface PrintFlags {
  format: OutputName;
  thinking?: boolean | undefined;
  quiet?: boolean | undefined;
  outputFile?: string | undefined;
}

/** After a signal, a reader that has stopped reading keeps us for this long and no longer. */
const readerPatienceMs = 5000;
/** After a second one. */
const shortPatienceMs = 500;

/** Runs a task, prints its stream as it comes, and gives the exit code that tells how it ended. */
export async function printRun(
  task: Task,
  agent: AgentDefinition,
  flags: PrintFlags,
  output: StandardOutput,
): Promise<number> {
  keepHeapSmall();
  const pipe = flags.outputFile === undefined ? undefined : openNamedPipe(flags.outputFile);
  const running = beginRun(task);
  // Asked for at once: from here on the agent waits for us, however long the rest takes to load.
  const batches = running.recordedBatches();
  output.onClose(() => running.cancel());
  let hasRunEnded = false;
  let file: FileOutput | undefined;
  const leaveReader = () => {
    const patienceMs = watch.count > 1 ? shortPatienceMs : readerPatienceMs;
    if (!hasRunEnded || watch.count === 0) return;
    setTimeout(() => {
      output.abandon();
      file?.abandon();
    }, patienceMs).unref();
  };
  const watch = cancelOnSignals(() => {
    running.cancel();
    leaveReader();
  });
  running.result.then(() => {
    hasRunEnded = true;
    leaveReader();
  });
  const printTo = async (to: Output, terminal: LiveTerminal | undefined): Promise<Printer> =>
    flags.quiet
      ? createQuietPrinter({
          agent,
          output: to,
          isTerminal: terminal !== undefined,
          complain: to === output ? complain : () => undefined,
        })
      : await createPrinter({
          format: flags.format,
          agent,
          output: to,
          terminal,
          prompt: running.prompt,
          permissions: task.permissions ?? defaultPermissions,
          recording: () => running.recording,
          showsThinking: flags.thinking,
          stopping: () => running.stopping,
        });
  file = flags.outputFile === undefined ? undefined : openOutputFile(flags.outputFile, pipe);
  const filePrinter = file && (await printTo(file, undefined));
  const printer = await printTo(output, standardTerminal());
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
