import { setMaxListeners } from "node:events";
import type { NoticeRecord } from "../events/raw-record.js";
import type { StopReason } from "../events/recording-meta.js";
import { canSeeProcesses } from "../process/processes.js";
import { type AgentProcess, nothingLeft, type ProcessEnd, startProcess } from "../process/start.js";
import { createDelivery, type Pressure } from "./delivery.js";
import { endRecord, type Stopped } from "./end-record.js";
import { eventsOf } from "./events-of.js";
import { createLineReaders, type LineReader } from "./line-reader.js";
import {
  blindNotice,
  holdersNotice,
  leftBehindNotice,
  recordingNotice,
  silenceNotice,
  survivorsNotice,
  tell,
  unexitedNotice,
  untraceableNotice,
} from "./notices.js";
import { openRun } from "./open-run.js";
import type { Plan } from "./plan.js";
import { createRunClock } from "./run-clock.js";
import { metaAtEnd } from "./run-meta.js";
import { createTally } from "./tally.js";
import type { Run, RunResult, Step } from "./task.js";
import { createWatch } from "./watch.js";

const defaultGraceMs = 10_000;
const defaultSilenceMs = 2 * 60_000;
/** For agents that print only at the end. */
const defaultLongSilenceMs = 30 * 60_000;

/** Carries out a plan: process → lines → translator → recording and reader, until nothing is left of it. */
export function startRun(plan: Plan): Run {
  const { task, agent, runId, cwd, launch, env } = plan;
  const now = createRunClock();
  const startedAt = now();
  const { located, recorder, problems, translator } = openRun(plan, startedAt);
  const tally = createTally();
  const delivery = createDelivery(setPressure);
  const [stdout, stderr] = createLineReaders(plan, translator);
  const recordingProblems: string[] = [];
  let child: AgentProcess | undefined;
  let isPaused = false;
  let hasEnded = false;
  let stopping: StopReason | undefined;
  let stopped: Stopped | undefined;

  /** Recorded first: what a reader has seen is on disk. */
  function publish(steps: readonly Step[], bytes: number): void {
    tally.add(steps);
    const refusals = recorder.write(steps);
    delivery.publish(steps, bytes);
    for (const refusal of refusals) tellRefusal(refusal);
  }

  function tellRefusal(problem: string): void {
    recordingProblems.push(problem);
    notice(recordingNotice(problem));
  }

  function notice(text: Pick<NoticeRecord, "code" | "message">): void {
    const { code, message } = text;
    // What was printed before comes before.
    const held = stdout.release();
    if (held.length > 0) publish(held, 0);
    const record: NoticeRecord = { timestamp: now(), stream: "harness", code, message: plan.redact(message) };
    publish([{ record, events: translator.record(record) }], 0);
  }

  function read(reader: LineReader, chunk: Buffer): void {
    watch.output();
    take(reader, () => reader.push(chunk, now()), chunk.length);
  }

  /** The last line of a pipe may have no line feed. */
  function finishReading(reader: LineReader): void {
    take(reader, () => reader.end(now()), 0);
  }

  function take(reader: LineReader, readSteps: () => Step[], bytes: number): void {
    const knewSession = tally.sessionId !== undefined;
    const wasDone = translator.isDone;
    const steps = readSteps();
    publish(steps, bytes);
    const hasSpoken = reader === stdout && steps.some((step) => step.events.length > 0);
    if (hasSpoken || wasDone !== translator.isDone) watch.lastWord(translator.isDone);
    if (!knewSession && tally.sessionId !== undefined) noteSession(tally.sessionId);
  }

  /** At once, so that a run that is interrupted can be resumed. */
  function noteSession(sessionId: string): void {
    for (const problem of recorder.update({ sessionId })) tellRefusal(problem);
  }

  function setPressure(pressure: Pressure): void {
    isPaused = pressure !== "none";
    child?.setPaused(pausedBy[pressure]);
  }

  /** An agent that has ended by itself has told how; what it left behind is stopped all the same. */
  function stop(reason: NonNullable<Stopped["reason"]>, detail?: string): void {
    const why: Stopped = { reason, ...(detail !== undefined && { detail }) };
    const isLingering = translator.isDone && !stdout.hasSpokenSinceDone;
    if (!child?.hasExited) stopped ??= isLingering ? { isAfterLastWord: true } : why;
    child?.stop();
    noteStopping(reason);
  }

  /** Whoever looks at the recording is to know, too. */
  function noteStopping(reason: StopReason): void {
    if (stopping !== undefined) return;
    stopping = reason;
    for (const problem of recorder.update({ stopping })) tellRefusal(problem);
  }

  function cancel(): void {
    if (hasEnded) return;
    if (stopping === undefined) stop("cancelled");
    else child?.kill();
  }

  function end(how: ProcessEnd): RunResult {
    hasEnded = true;
    watch.end();
    task.signal?.removeEventListener("abort", cancel);
    finishReading(stdout);
    finishReading(stderr);
    if (how.leftBehind.length > 0 && stopped === undefined)
      notice(leftBehindNotice(agent.name, how.leftBehind));
    if (how.survivors.length > 0) notice(survivorsNotice(how.survivors));
    if (how.holders.length > 0) notice(holdersNotice(agent.name, how.holders));
    if (how.untraceable.length > 0) notice(untraceableNotice(how.untraceable));
    const last = [endRecord(translator, withoutSecrets(how), stopped, now())];
    tally.add(last);
    // No event can follow the last one: what goes wrong from here on is told by the result alone.
    recordingProblems.push(...recorder.write(last));
    const result = tally.result(runId);
    recordingProblems.push(...recorder.close(metaAtEnd(plan, result, tally, translator, now())));
    delivery.publish(last, 0);
    return {
      ...result,
      ...(recorder.path !== undefined && { recording: recorder.path }),
      ...(recordingProblems.length > 0 && { recordingProblems: recordingProblems.map(plan.redact) }),
    };
  }

  function withoutSecrets(how: ProcessEnd): ProcessEnd {
    if (how.startFailure === undefined) return how;
    const { kind, message } = how.startFailure;
    return { ...how, startFailure: { kind, message: plan.redact(message) } };
  }

  const watch = createWatch({
    timeoutMs: task.timeoutMs,
    idleTimeoutMs: task.idleTimeoutMs,
    silenceMs: task.silenceMs ?? (agent.traits.isStreaming ? defaultSilenceMs : defaultLongSilenceMs),
    graceMs: task.graceMs ?? defaultGraceMs,
    isPaused: () => isPaused,
    onTimeout: () => stop("timed_out", tell.timedOut(task.timeoutMs ?? 0)),
    onStalled: () => stop("stalled", tell.stalled(task.idleTimeoutMs ?? 0)),
    onSilence: (ms) => notice(silenceNotice(agent.name, ms, translator.openWork)),
    onLingering: (ms) => {
      if (child?.hasExited || stopped !== undefined) return;
      notice(unexitedNotice(agent.name, ms));
      stopped = { isAfterLastWord: true };
      child?.stop();
      noteStopping("not_exiting");
    },
  });

  publish([{ events: translator.start(startedAt) }], 0);
  for (const problem of problems) tellRefusal(problem);
  if (!canSeeProcesses()) notice(blindNotice);

  /** Hundreds of runs may share a signal, which is no leak that Node would have to warn of. */
  function listenTo(signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    setMaxListeners(0, signal);
    signal.addEventListener("abort", cancel, { once: true });
  }

  function begin(): Promise<ProcessEnd> {
    if (task.signal?.aborted) {
      stopped = { reason: "cancelled" };
      return Promise.resolve(neverStarted);
    }
    if ("failure" in located) return Promise.resolve({ ...neverStarted, startFailure: located.failure });
    listenTo(task.signal);
    child = startProcess({
      runId,
      program: located.path,
      args: [...located.leadingArgs, ...launch.args],
      cwd,
      env,
      stdin: launch.stdin,
      stopSignal: agent.traits.stopSignal,
      onStdout: (chunk) => read(stdout, chunk),
      onStderr: (chunk) => read(stderr, chunk),
      onEnd: (stream) => finishReading(stream === "stdout" ? stdout : stderr),
    });
    return child.ended;
  }

  const result = begin()
    .then(end)
    .finally(() => delivery.finish());
  return {
    runId,
    get pid() {
      return child?.pid;
    },
    result,
    prompt: plan.redact(task.prompt),
    get recording() {
      return recorder.path;
    },
    get stopping() {
      return stopping;
    },
    batches: () => delivery.batches(),
    [Symbol.asyncIterator]: () => eventsOf(delivery.batches()),
    cancel,
  };
}

const pausedBy = { none: "nothing", full: "stdout", overfull: "both" } as const;

const neverStarted: ProcessEnd = { exitCode: null, signal: null, ...nothingLeft };
