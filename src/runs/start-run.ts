import { setMaxListeners } from "node:events";
import type { StopReason } from "../events/recording-meta.js";
import { canSeeProcesses } from "../process/processes.js";
import { type AgentProcess, nothingLeft, type ProcessEnd, startProcess } from "../process/start.js";
import type { StartFailure } from "../process/start-failure.js";
import { pausedBy } from "./delivery.js";
import type { Stopped } from "./end-record.js";
import { eventsOf, stepsOf } from "./events-of.js";
import { blindNotice, endingNotices, limitWords, silenceNotice, unexitedNotice } from "./notices.js";
import { type OpenedRun, openRun } from "./open-run.js";
import type { Plan } from "./plan.js";
import type { StepBatch } from "./recording/step-batch.js";
import { type ChangeLimits, type WatchedChanges, watchRunChanges } from "./run-changes.js";
import { createRunClock } from "./run-clock.js";
import { createRunFiles } from "./run-files.js";
import { createRunStream, type RunStream } from "./run-stream.js";
import { createStopping, type Stopping } from "./stopping.js";
import type { Run, RunResult } from "./task.js";
import { createWatch, defaultGraceMs, type Watch } from "./watch.js";

/** A run as the command prints it: with what was formatted for the recording. */
export interface RunUnderWay extends Run {
  /** The same as `batches()`, with the texts that the recording has of each. */
  recordedBatches(): AsyncIterable<StepBatch>;
}

/** Carries out a plan: process → lines → steps → recording and reader, until nothing is left of it. */
export function startRun(plan: Plan, limits?: ChangeLimits): RunUnderWay {
  const { task } = plan;
  const now = createRunClock();
  const startedAt = now();
  const { located, recorder, problems, steps } = openRun(plan, startedAt);
  const changes = watchRunChanges(plan, () => stream, limits);
  let child: AgentProcess | undefined;
  let isPaused = false;
  let hasEnded = false;
  const stream = createRunStream({
    plan,
    steps,
    recorder,
    now,
    onPressure(pressure) {
      isPaused = pressure !== "none";
      child?.setPaused(pausedBy[pressure]);
    },
    onFinalMessage: (isSaid) => watch.finalMessage(isSaid),
  });
  const stopping = createStopping({
    process: () => child,
    isLingering: () => steps.isDone && !stream.stdout.hasSpokenSinceDone,
    // The sidecar says so, too, for those who watch the recording.
    onStopping: (reason) => noteStopping(reason, changes, stream),
  });
  const openWork = (): readonly string[] => steps.openWork;
  const watch = watchRun(plan, { stream, stopping, openWork, isPaused: () => isPaused });

  function cancel(): void {
    if (hasEnded) return;
    changes.cancel(stopping.reason !== undefined);
    stopping.cancel();
  }

  function begin(): Promise<ProcessEnd> {
    if (task.signal?.aborted) {
      stopping.cancelUnstarted();
      return Promise.resolve(neverStarted);
    }
    if ("failure" in located) return notStarted(located.failure);
    listenTo(task.signal, cancel);
    const beginning = changes.begin();
    return beginning === undefined ? start(located) : beginning.then(() => start(located));
  }

  function start(located: Located): Promise<ProcessEnd> {
    // It was stopped before it began.
    if (stopping.reason !== undefined) return Promise.resolve(neverStarted);
    const files = createRunFiles(plan);
    if ("failure" in files) return notStarted(files.failure);
    child = startAgent(plan, located, stream, watch);
    return child.ended.finally(() => files.remove());
  }

  async function end(how: ProcessEnd): Promise<RunResult> {
    watch.end();
    finishReading(plan, stream, how, stopping.stopped);
    await changes.end();
    hasEnded = true;
    task.signal?.removeEventListener("abort", cancel);
    return stream.end(how, stopping.stopped);
  }

  stream.begin(startedAt, problems);
  if (!canSeeProcesses()) stream.notice(blindNotice);
  const result = begin()
    .then(end)
    .finally(() => stream.finish());
  return toRun(plan, {
    stream,
    stopping,
    result,
    cancel,
    pid: () => child?.pid,
    recording: () => recorder.path,
  });
}

function noteStopping(reason: StopReason, changes: WatchedChanges, stream: RunStream): void {
  changes.stopStarting();
  stream.note({ stopping: reason });
}

interface RunParts extends Pick<Run, "result" | "cancel"> {
  stream: RunStream;
  stopping: Stopping;
  pid(): number | undefined;
  recording(): string | undefined;
}

/** What the caller holds of a run. */
function toRun({ runId, task, redact }: Plan, parts: RunParts): RunUnderWay {
  const { stream, stopping, result, cancel } = parts;
  return {
    runId,
    get pid() {
      return parts.pid();
    },
    result,
    prompt: redact(task.prompt),
    get recording() {
      return parts.recording();
    },
    get stopping() {
      return stopping.reason;
    },
    batches: () => stepsOf(stream.batches()),
    recordedBatches: () => stream.batches(),
    [Symbol.asyncIterator]: () => eventsOf(stream.batches()),
    cancel,
  };
}

function finishReading(plan: Plan, stream: RunStream, how: ProcessEnd, stopped: Stopped | undefined): void {
  stream.finishReading(stream.stdout);
  stream.finishReading(stream.stderr);
  for (const notice of endingNotices(plan.agent.name, how, stopped)) stream.notice(notice);
}

type Located = Exclude<OpenedRun["located"], { failure: unknown }>;

function startAgent(plan: Plan, located: Located, stream: RunStream, watch: Watch): AgentProcess {
  const { runId, cwd, env, launch, agent } = plan;
  const { stdout, stderr } = stream;
  return startProcess({
    runId,
    program: located.path,
    args: [...located.leadingArgs, ...launch.args],
    cwd,
    env,
    stdin: launch.stdin,
    stopSignal: agent.traits.stopSignal,
    onStdout(chunk) {
      watch.output();
      stream.read(stdout, chunk);
    },
    onStderr(chunk) {
      watch.output();
      stream.read(stderr, chunk);
    },
    onEnd: (name) => stream.finishReading(name === "stdout" ? stdout : stderr),
  });
}

const defaultSilenceMs = 2 * 60_000;
/** For agents that print only at the end. */
const defaultLongSilenceMs = 30 * 60_000;

interface Watched {
  stream: RunStream;
  stopping: Stopping;
  openWork(): readonly string[];
  isPaused(): boolean;
}

/** The limits of a run, and what happens when one is reached. */
function watchRun({ task, agent }: Plan, { stream, stopping, openWork, isPaused }: Watched): Watch {
  const { timeoutMs, idleTimeoutMs, graceMs = defaultGraceMs } = task;
  const silenceMs = task.silenceMs ?? (agent.traits.isStreaming ? defaultSilenceMs : defaultLongSilenceMs);
  return createWatch({
    timeoutMs,
    idleTimeoutMs,
    silenceMs,
    graceMs,
    isPaused,
    onTimeout: () => stopping.stop("timed_out", limitWords.timedOut(timeoutMs ?? 0)),
    onStalled: () => stopping.stop("stalled", limitWords.stalled(idleTimeoutMs ?? 0)),
    onSilence: (ms) => stream.notice(silenceNotice(agent.name, ms, openWork())),
    onLingering: (ms) => stopping.stopAfterFinalMessage(() => stream.notice(unexitedNotice(agent.name, ms))),
  });
}

/** Hundreds of runs may share a signal. Without this, Node would warn about a leak. */
function listenTo(signal: AbortSignal | undefined, cancel: () => void): void {
  if (signal === undefined) return;
  setMaxListeners(0, signal);
  signal.addEventListener("abort", cancel, { once: true });
}

function notStarted(startFailure: StartFailure): Promise<ProcessEnd> {
  return Promise.resolve({ ...neverStarted, startFailure });
}

const neverStarted: ProcessEnd = { exitCode: null, signal: null, ...nothingLeft };
