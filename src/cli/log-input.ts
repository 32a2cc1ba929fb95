import { parseRawRecord } from "../events/raw-jsonl.js";
import type { RawRecord } from "../events/raw-record.js";
import { toLineRecord } from "../process/to-line-record.js";
import { gatherRecords, type RecordSplitter } from "../runs/recording/gather-records.js";
import { createRecordSplitter } from "../runs/recording/record-splitter.js";

/** Native lines or a `raw.jsonl`, as records. */
export interface LogInput extends RecordSplitter {
  /** True if the input is a recording, with times and an end of its own. Known once there are records. */
  readonly isRecording: boolean;
}

/** How a record begins that harness wrote. Any other is recognised by its whole line. */
const recordHead =
  /^\{"timestamp":"[^"]{1,40}","stream":"(?:stdout|stderr|received|stored|sent|harness|process|exit)"/;
const mostHeld = 64 * 1024;
const lineFeed = 10;

/** The first line shows which of the two the input is. Native lines get the time that `now` returns. */
export function createLogInput(now: () => string): LogInput {
  let held = Buffer.alloc(0);
  let isRecording = false;
  let splitter: RecordSplitter | undefined;

  /** Chooses the splitter, and gives it what was held back. */
  function begin(): RawRecord[] {
    isRecording = isRecordingFrom(held);
    splitter = isRecording ? createRecordSplitter() : createNativeSplitter(now);
    return splitter.push(held);
  }

  return {
    push(chunk) {
      if (splitter !== undefined) return splitter.push(chunk);
      held = Buffer.concat([held, chunk]);
      return held.includes(lineFeed) || held.length >= mostHeld ? begin() : [];
    },
    end() {
      const first = splitter === undefined ? begin() : [];
      return [...first, ...(splitter?.end() ?? [])];
    },
    get isRecording() {
      return isRecording;
    },
  };
}

function isRecordingFrom(start: Buffer): boolean {
  const end = start.indexOf(lineFeed);
  const line = start.toString("utf8", 0, end === -1 ? start.length : end);
  return recordHead.test(line) || parseRawRecord(line) !== undefined;
}

function createNativeSplitter(now: () => string): RecordSplitter {
  return gatherRecords((line, extra) => toLineRecord("stdout", now(), line, extra));
}
