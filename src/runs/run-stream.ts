import type { Steps } from "../agents/steps.js";
import type { ChangesRecord } from "../events/changes.js";
import type { NoticeRecord, ProcessRecord, SentRecord } from "../events/raw-record.js";
import type { RecordingMeta } from "../events/recording-meta.js";
import type { Step } from "../events/step.js";
import type { ProcessEnd } from "../process/start.js";
import { createDelivery, type Delivery, type Pressure } from "./delivery.js";
import { endRecord, type Stopped } from "./end-record.js";
import { type Notice, recordingNotice } from "./notices.js";
import { createPipeReaders, type PipeReader, type Read } from "./pipe-reader.js";
import type { Plan } from "./plan.js";
import type { Recorder } from "./recording/recorder.js";
import { createBatches, type StepBatch } from "./recording/step-batch.js";
import { metaAtEnd } from "./run-meta.js";
import { createTally, type Tally } from "./tally.js";
import type { RunResult } from "./task.js";

export interface RunStreamOptions {
  plan: Plan;
  steps: Steps;
  recorder: Recorder;
  /** The time in the run, which never goes back. */
  now: () => string;
  /** How far the reader is behind has changed. */
  onPressure(pressure: Pressure): void;
  /** The agent has sent its final message, or has printed something after it. */
  onFinalMessage?(isSaid: boolean): void;
  /** In a live session: what was published, after the reader got it. */
  onSteps?(steps: readonly Step[]): void;
}

/** A record that harness makes itself. The stream adds its time. */
export type OwnRecord =
  | Omit<NoticeRecord, "timestamp">
  | Omit<SentRecord, "timestamp">
  | Omit<ProcessRecord, "timestamp">
  | Omit<ChangesRecord, "timestamp">;

/** The stream of one run: whatever happens goes through here, in order, first to the recording and then to the reader. */
export interface RunStream {
  readonly stdout: PipeReader;
  readonly stderr: PipeReader;
  /** What came over another connection, as whole lines. */
  readonly received: PipeReader;
  /** The start of the run. `problems`: why it cannot be recorded. */
  begin(startedAt: string, problems: readonly string[]): void;
  /** What the agent printed. */
  read(reader: PipeReader, chunk: Buffer): void;
  /** A pipe is closed. Its last line may have no line feed. */
  finishReading(reader: PipeReader): void;
  /** A warning from harness itself. */
  notice(notice: Notice): void;
  /** A record of what harness did in a live session. */
  record(record: OwnRecord): void;
  /** Publishes the lines that masking holds back. */
  release(): void;
  /** Keeps what the run changed, beside the recording. */
  keepPatch(patch: Uint8Array): void;
  /** Changes the sidecar. */
  note(changes: Partial<RecordingMeta>): void;
  /** The last step. */
  end(how: ProcessEnd, stopped: Stopped | undefined): RunResult;
  /** Nothing more will come. */
  finish(): void;
  /** The one iteration of the run. */
  batches(): AsyncIterableIterator<StepBatch>;
}

export function createRunStream(options: RunStreamOptions): RunStream {
  const { plan, steps, recorder, now } = options;
  const tally = createTally();
  const toBatch = createBatches();
  const delivery = createDelivery(options.onPressure);
  const [stdout, stderr, received] = createPipeReaders(plan, steps);
  const problems: string[] = [];

  /** Recorded first: what a reader has seen is on disk. */
  function publish({ steps: published, printed }: Read, bytes: number): void {
    tally.add(published);
    const batch = toBatch(published);
    const refusals = recorder.write(batch, printed);
    delivery.publish(batch, bytes);
    report(refusals);
    options.onSteps?.(published);
  }

  /** Places where the run is not recorded any more. */
  function report(refusals: readonly string[]): void {
    for (const problem of refusals) {
      problems.push(problem);
      notice(recordingNotice(problem));
    }
  }

  function release(): void {
    const held = stdout.release();
    if (held.steps.length > 0) publish(held, 0);
  }

  /** Lines that were printed before come before it. */
  function record(made: OwnRecord): void {
    release();
    publish({ steps: [steps.push({ timestamp: now(), ...made })] }, 0);
  }

  function notice({ code, message }: Notice): void {
    record({ stream: "harness", code, message: plan.redact(message) });
  }

  const note = (changes: Partial<RecordingMeta>): void => report(recorder.update(changes));

  function take(reader: PipeReader, readSteps: () => Read, bytes: number): void {
    const { sessionId: known } = tally;
    const wasDone = steps.isDone;
    const taken = readSteps();
    publish(taken, bytes);
    const hasSpoken = reader === stdout && taken.steps.some((step) => step.events.length > 0);
    if (hasSpoken || wasDone !== steps.isDone) options.onFinalMessage?.(steps.isDone);
    // Noted at once, so that a run that is interrupted can be resumed.
    if (tally.sessionId !== undefined && tally.sessionId !== known) note({ sessionId: tally.sessionId });
  }

  return {
    stdout,
    stderr,
    received,
    begin(startedAt, refusals) {
      publish({ steps: steps.start(startedAt) }, 0);
      report(refusals);
    },
    read: (reader, chunk) => take(reader, () => reader.push(chunk, now()), chunk.length),
    finishReading: (reader) => take(reader, () => reader.end(now()), 0),
    notice,
    record,
    release,
    keepPatch: (patch) => report(recorder.keepPatch(patch)),
    note,
    end: (how, stopped) => endRun({ ...options, tally, toBatch, delivery, problems }, how, stopped),
    finish: () => delivery.finish(),
    batches: () => delivery.batches(),
  };
}

interface EndParts extends RunStreamOptions {
  tally: Tally;
  toBatch: ReturnType<typeof createBatches>;
  delivery: Delivery;
  problems: string[];
}

/** Records and delivers the last step. */
function endRun(parts: EndParts, how: ProcessEnd, stopped: Stopped | undefined): RunResult {
  const { plan, steps, recorder, now, tally, problems } = parts;
  const last = [endRecord(steps, withoutSecrets(how, plan), stopped, now())];
  tally.add(last);
  const batch = parts.toBatch(last);
  // No event can follow the last one, so only the result reports what goes wrong from here on.
  problems.push(...recorder.write(batch));
  const result = tally.result(plan.runId);
  problems.push(...recorder.close(metaAtEnd(plan, result, tally, steps, now())));
  parts.delivery.publish(batch, 0);
  parts.onSteps?.(last);
  return withRecording(result, recorder, problems.map(plan.redact));
}

function withRecording(result: RunResult, { path }: Recorder, problems: string[]): RunResult {
  return {
    ...result,
    ...(path !== undefined && { recording: path }),
    ...(problems.length > 0 && { recordingProblems: problems }),
  };
}

function withoutSecrets(how: ProcessEnd, plan: Plan): ProcessEnd {
  if (how.startFailure === undefined) return how;
  const { kind, message } = how.startFailure;
  return { ...how, startFailure: { kind, message: plan.redact(message) } };
}
