import type { Socket } from "node:net";
import { resolve } from "node:path";
import { type AgentDefinition, defaultPermissions } from "../../agents/definition.js";
import { messageOf } from "../../errors.js";
import type { EventOf } from "../../events/event.js";
import type { RunCheck } from "../../events/run-check.js";
import type { Step } from "../../events/step.js";
import { permissionsName } from "../../live/rules/rule.js";
import { beginRun } from "../../live/run.js";
import type { OutputName } from "../../outputs/registry.js";
import { updateMeta } from "../../runs/recording/meta.js";
import { metaBeside } from "../../runs/recording/paths.js";
import { patchBeside } from "../../runs/recording/read-patch.js";
import type { RunUnderWay } from "../../runs/start-run.js";
import type { Task } from "../../runs/task.js";
import type { Follower } from "../../sending/follower.js";
import { complain } from "../complain.js";
import { cancelOnSignals, type SignalWatch } from "../ending-signals.js";
import { exitCodeOf, exitCodes } from "../exit-codes.js";
import { keepHeapSmall } from "../heap-flags.js";
import { openNamedPipe } from "../named-pipe.js";
import type { PrintTarget, StandardOutput } from "../output.js";
import type { LiveTerminal } from "../printing/live-printer.js";
import { createPrinter, type Printer, type PrinterOptions, standardTerminal } from "../printing/printer.js";
import { createQuietPrinter } from "../printing/quiet-printer.js";
import { createFileOutput, createPipeOutput, type FileOutput } from "./file-output.js";
import { joinGitHubJob } from "./github-job.js";
import type { OutputTargets } from "./output-targets.js";
import type { CheckedRun, CheckRequest } from "./run-check.js";

/** How a run is printed. */
export interface PrintFlags extends Partial<Pick<OutputTargets, "files">> {
  /** The output that goes to standard output. */
  format: OutputName;
  thinking: boolean | undefined;
  quiet: boolean | undefined;
  /** A file that gets a copy of what is printed. */
  outputFile: string | undefined;
  /** Whoever else gets the steps of the run. */
  followers?: readonly Follower[] | undefined;
  /** Outputs that leave contents out have them. */
  hasContents?: boolean | undefined;
  /** What is to be checked after a run that succeeded. */
  check?: CheckRequest | undefined;
}

/** Runs a task and prints its stream as it comes. Resolves to the exit code for how it ended. */
export async function printRun(
  task: Task,
  agent: AgentDefinition,
  flags: PrintFlags,
  output: StandardOutput,
): Promise<number> {
  keepHeapSmall();
  const job = isForGitHub(flags) ? joinGitHubJob(task, agent) : undefined;
  const { followers = [] } = flags;
  const copies = copiesOf(flags).map((copy) => ({ ...copy, pipe: openNamedPipe(copy.path) }));
  const running = beginRun(task);
  // Before anything else is loaded: from here on the agent waits for us, and nothing of its output is lost.
  const batches = running.recordedBatches();
  const cancelling = new AbortController();
  const cancel = (): void => {
    running.cancel();
    cancelling.abort();
  };
  output.onClose(cancel);
  let files: (Copy & { output: FileOutput })[] = [];
  for (const follower of followers) follower.begin?.(running);
  const watch = watchSignals({ result: running.result, cancel }, () => {
    for (const follower of followers) follower.abandon?.();
    output.abandon();
    for (const file of files) file.output.abandon();
  });
  files = copies.map((copy) => ({ ...copy, output: openOutputFile(copy.path, copy.pipe) }));
  const end: RunEnd = {};
  const check = flags.check && (() => end.check);
  const { thinking: showsThinking, hasContents } = flags;
  const printed = { task, agent, running, showsThinking, hasContents, check };
  const printers = await Promise.all([
    openPrinter(printed, {
      ...flags,
      output,
      complain,
      terminal: standardTerminal(),
      secrets: job?.secrets,
    }),
    ...files.map((file) => openPrinter(printed, { ...file, complain: () => undefined })),
  ]);
  try {
    for await (const batch of batches) {
      noteEnd(batch.steps, end);
      job?.push(batch.steps);
      for (const follower of followers) follower.push(batch.steps);
      await Promise.all(printers.map((printer) => printer.print(batch)));
    }
    if (flags.check !== undefined && end.result?.isSuccess) {
      const jobLog = job === undefined || flags.format !== "github" ? undefined : output;
      end.check = await checkRun(flags.check, { task, running, jobLog, signal: cancelling.signal });
      for (const follower of followers) follower.check?.(end.check);
    }
    // What they have of the run is on its way since its last step.
    const followed = Promise.all(followers.map((follower) => follower.end()));
    await Promise.all(printers.map((printer) => printer.end()));
    await followed;
  } finally {
    for (const printer of printers) printer.close();
  }
  const { recordingProblems = [] } = await running.result;
  watch.stop();
  for (const file of files) file.output.close();
  for (const problem of recordingProblems) complain(problem);
  if (end.result === undefined || end.exited === undefined) throw new Error("the run ended without a result");
  const signal = watch.signal ?? (output.isClosed ? "SIGPIPE" : undefined);
  const known = exitCodeOf(end.result, end.exited, { signal, check: end.check });
  const isUnwritten = recordingProblems.length > 0 || files.some((file) => file.output.hasFailed);
  const exitCode = known === exitCodes.success && isUnwritten ? exitCodes.notWritten : known;
  const { recording, prompt } = running;
  await job?.end({ prompt, exitCode, check: end.check, recording, patch: patchBeside(recording) });
  return exitCode;
}

/** The lines of a GitHub job are printed, or written to a file. */
function isForGitHub({ format, quiet, files = [] }: PrintFlags): boolean {
  return (format === "github" && !quiet) || files.some(({ name }) => name === "github");
}

/** Runs the check. The sidecar of the recording has what came out of it. */
async function checkRun(
  request: CheckRequest,
  {
    task,
    running,
    jobLog,
    signal,
  }: Pick<PrintedRun, "task" | "running"> & Pick<CheckedRun, "jobLog" | "signal">,
): Promise<RunCheck> {
  await running.result;
  const { runCheck } = await import("./run-check.js");
  const cwd = resolve(task.cwd ?? ".");
  const check = await runCheck(request, { task, runId: running.runId, cwd, jobLog, signal });
  try {
    if (running.recording !== undefined) updateMeta(metaBeside(running.recording), { check });
  } catch (error) {
    complain(`warning: the recording does not have the check: ${messageOf(error)}`);
  }
  return check;
}

/** A file that is written while the run goes on. */
interface Copy {
  path: string;
  format: OutputName;
  quiet: boolean | undefined;
}

/** `--output-file` has what is printed; each file of `--output` has its own output, whatever is printed. */
function copiesOf({ format, quiet, outputFile, files = [] }: PrintFlags): Copy[] {
  const others = files.map(({ name, file }) => ({ path: file, format: name, quiet: false }));
  return outputFile === undefined ? others : [{ path: outputFile, format, quiet }, ...others];
}

/** After a signal, we wait this long for a stalled reader. */
const readerPatienceMs = 5000;
/** After a second signal. */
const shortPatienceMs = 500;

/** Cancels the run on a signal. After its end, `giveUp` ends the wait for readers that have stalled. */
function watchSignals(running: Pick<RunUnderWay, "result" | "cancel">, giveUp: () => void): SignalWatch {
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
  running: RunUnderWay;
  showsThinking: boolean | undefined;
  hasContents: boolean | undefined;
  check: PrinterOptions["check"];
}

interface Destination extends Pick<PrintFlags, "format" | "quiet">, Pick<PrinterOptions, "secrets"> {
  output: PrintTarget;
  terminal?: LiveTerminal | undefined;
  /** Says why there is no answer. Does nothing for files, so that the reason is printed once. */
  complain(sentence: string): void;
}

async function openPrinter(
  { task, agent, running, showsThinking, hasContents, check }: PrintedRun,
  { format, quiet, output, terminal, complain, secrets }: Destination,
): Promise<Printer> {
  if (quiet)
    return createQuietPrinter({ agent, output, isTerminal: terminal !== undefined, complain, check });
  return createPrinter({
    format,
    agent,
    output,
    terminal,
    prompt: running.prompt,
    permissions: permissionsName(task.permissions ?? defaultPermissions),
    recording: () => running.recording,
    patch: () => patchBeside(running.recording),
    check,
    secrets,
    showsThinking,
    hasContents,
    traceParent: process.env["TRACEPARENT"],
    stopping: () => running.stopping,
  });
}

function openOutputFile(path: string, pipe: Socket | undefined): FileOutput {
  return pipe === undefined ? createFileOutput(path, complain) : createPipeOutput(pipe, path, complain);
}

interface RunEnd {
  check?: RunCheck;
  result?: EventOf<"result">;
  exited?: EventOf<"exited">;
}

function noteEnd(steps: readonly Step[], end: RunEnd): void {
  for (const event of steps.at(-1)?.events ?? []) {
    if (event.type === "result") end.result = event;
    if (event.type === "exited") end.exited = event;
  }
}
