import type { Steps } from "../agents/steps.js";
import type { LineRecord } from "../events/raw-record.js";
import type { Step } from "../events/step.js";
import { createLineSplitter } from "../process/line-splitter.js";
import { toLineRecord } from "../process/to-line-record.js";
import { createMaskedRecords, type MaskedRecords } from "./masked-records.js";
import type { Plan } from "./plan.js";
import type { PrintedLines } from "./recording/printed-lines.js";

export interface PipeReaderOptions {
  stream: LineRecord["stream"];
  steps: Steps;
  maxLineBytes?: number | undefined;
  /** Masks secrets before anything else sees a line, so that the recording and its replay are masked too. */
  masked?: MaskedRecords | undefined;
}

/** What was read at once. */
export interface Read {
  steps: Step[];
  /** The bytes of the last steps, for the recorder, if their lines are recorded as they were printed. */
  printed?: PrintedLines | undefined;
}

/** Turns the chunks of one pipe into steps. */
export interface PipeReader {
  /** Every line of a chunk gets the time at which the chunk was read. */
  push(chunk: Buffer, timestamp: string): Read;
  /** The last line, if it had no line feed. */
  end(timestamp: string): Read;
  /** Lines that were held back because they may contain part of a secret. */
  release(): Read;
  /** True if lines after the agent's final message gave events. */
  readonly hasSpokenSinceDone: boolean;
}

/** The readers of standard output, standard error and what is received otherwise, of one run. */
export function createPipeReaders(
  { task, agent, live, redactor }: Pick<Plan, "task" | "agent" | "live" | "redactor">,
  steps: Steps,
): [PipeReader, PipeReader, PipeReader] {
  const { maxLineBytes } = task;
  // A live protocol may have another shape than the agent's one-shot stream.
  const own = live !== undefined && live === agent.live?.id ? agent.live.streamedText : undefined;
  const masked = redactor && createMaskedRecords(redactor, own ?? agent.streamedText);
  const create = (stream: LineRecord["stream"]): PipeReader =>
    createPipeReader({ stream, steps, maxLineBytes, masked });
  return [create("stdout"), create("stderr"), create("received")];
}

export function createPipeReader(options: PipeReaderOptions): PipeReader {
  const { stream, steps, maxLineBytes, masked } = options;
  let read: Step[] = [];
  let printed: PrintedLines | undefined;
  let timestamp = "";
  let hasSpokenSinceDone = false;

  const splitter = createLineSplitter({
    ...(maxLineBytes !== undefined && { maxLineBytes }),
    onLine(line, extra) {
      if (masked === undefined) readRecord(toLineRecord(stream, timestamp, line, extra));
      else readAll(masked.push({ stream, timestamp, line, extra }));
    },
    onWholeLines(bytes) {
      if (masked === undefined) printed = { bytes, timestamp, stream, firstStep: read.length };
    },
  });

  function readRecord(record: LineRecord): void {
    const wasDone = steps.isDone;
    const step = steps.push(record);
    if (!wasDone || !steps.isDone) hasSpokenSinceDone = false;
    else if (step.events.length > 0) hasSpokenSinceDone = true;
    read.push(step);
  }

  function readAll(records: readonly LineRecord[]): void {
    for (const record of records) readRecord(record);
  }

  function take(): Read {
    const taken = { steps: read, printed };
    read = [];
    printed = undefined;
    return taken;
  }

  return {
    push(chunk, at) {
      timestamp = at;
      splitter.push(chunk);
      return take();
    },
    end(at) {
      timestamp = at;
      splitter.end();
      if (masked !== undefined) readAll(masked.end(stream));
      return take();
    },
    release() {
      if (masked !== undefined) readAll(masked.release());
      return take();
    },
    get hasSpokenSinceDone() {
      return hasSpokenSinceDone;
    },
  };
}
