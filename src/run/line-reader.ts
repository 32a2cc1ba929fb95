import { createLineSplitter, type LineExtra } from "../process/line-splitter.js";
import { toLineRecord } from "../process/to-line-record.js";
import type { Step } from "../recording/step.js";
import type { Translator } from "../translator/contract.js";
import type { LineRecord } from "../vocabulary/raw-record.js";
import type { Plan } from "./plan.js";

export interface LineReaderOptions {
  stream: LineRecord["stream"];
  translator: Translator;
  maxLineBytes?: number | undefined;
  /** Changes each line before anything else sees it, so that a replay of the recording stays exact. */
  mask?: ((line: string) => string) | undefined;
}

/** Turns the chunks of one pipe into steps. */
export interface LineReader {
  /** All lines of a chunk get the time that the chunk was read at. */
  push(chunk: Buffer, timestamp: string): Step[];
  /** The last line, if it had no line feed. */
  end(timestamp: string): Step[];
  /** There were events from later lines than the one that was the agent's last word. */
  readonly hasSpokenSinceDone: boolean;
}

/** The readers of standard output and standard error of one run. */
export function createLineReaders(
  { task, redactor }: Pick<Plan, "task" | "redactor">,
  translator: Translator,
): [LineReader, LineReader] {
  const { maxLineBytes } = task;
  const create = (stream: LineRecord["stream"]): LineReader =>
    createLineReader({ stream, translator, maxLineBytes, mask: redactor?.createLines() });
  return [create("stdout"), create("stderr")];
}

export function createLineReader(options: LineReaderOptions): LineReader {
  const { stream, translator, maxLineBytes, mask } = options;
  let steps: Step[] = [];
  let timestamp = "";
  let hasSpokenSinceDone = false;

  const splitter = createLineSplitter({
    ...(maxLineBytes !== undefined && { maxLineBytes }),
    onLine(line, extra) {
      const record = mask === undefined ? toRecord(line, extra) : toRecord(...masked(line, extra, mask));
      const wasDone = translator.isDone;
      const events = translator.record(record);
      if (!wasDone || !translator.isDone) hasSpokenSinceDone = false;
      else if (events.length > 0) hasSpokenSinceDone = true;
      if (events.length > 0) steps.push({ record, events });
      else steps.push({ record, events, rule: translator.lastRule ?? "no rule" });
    },
  });

  function toRecord(line: string, extra: LineExtra | undefined): LineRecord {
    return toLineRecord(stream, timestamp, line, extra);
  }

  function take(): Step[] {
    const taken = steps;
    steps = [];
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
      return take();
    },
    get hasSpokenSinceDone() {
      return hasSpokenSinceDone;
    },
  };
}

/** Bytes that are no valid text are masked as if each were a character, which keeps the others as they are. */
function masked(
  line: string,
  extra: LineExtra | undefined,
  mask: (line: string) => string,
): [line: string, extra: LineExtra | undefined] {
  if (extra?.bytes === undefined) return [mask(line), extra];
  return [line, { ...extra, bytes: Buffer.from(mask(extra.bytes.toString("latin1")), "latin1") }];
}
