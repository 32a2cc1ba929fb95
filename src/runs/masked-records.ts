import type { StreamedText } from "../agents/streamed-text.js";
import type { LineRecord } from "../events/raw-record.js";
import type { LineExtra } from "../process/line-splitter.js";
import { toLineRecord } from "../process/to-line-record.js";
import { createLineGate, type FreeLine } from "./redact/line-gate.js";
import type { Redactor } from "./redact/redactor.js";

/** A line as it was read. */
interface ReadLine {
  stream: LineRecord["stream"];
  timestamp: string;
  line: string;
  extra: LineExtra | undefined;
}

/**
 * The lines of a run without their secrets, in order and with their own times. A line may be held back until a later one
 * arrives. Both streams go through the same gate.
 */
export interface MaskedRecords {
  push(line: ReadLine): LineRecord[];
  end(stream: LineRecord["stream"]): LineRecord[];
  release(): LineRecord[];
}

export function createMaskedRecords(
  redactor: Redactor,
  streamedText: StreamedText | undefined,
): MaskedRecords {
  const gate = createLineGate<ReadLine>(redactor, streamedText);
  const toRecords = (lines: FreeLine<ReadLine>[]): LineRecord[] => lines.map(toRecord);
  return {
    push(read) {
      const isCut = read.extra?.droppedBytes !== undefined;
      return toRecords(gate.push(read.stream, textOf(read), read, isCut));
    },
    end: (stream) => toRecords(gate.end(stream)),
    release: () => toRecords(gate.release()),
  };
}

/** Bytes that are not valid UTF-8 are masked as if each were a character, so that all other bytes stay as they are. */
function textOf({ line, extra }: ReadLine): string {
  return extra?.bytes?.toString("latin1") ?? line;
}

function toRecord({ text, about: { stream, timestamp, extra, line } }: FreeLine<ReadLine>): LineRecord {
  if (extra?.bytes === undefined) return toLineRecord(stream, timestamp, text, extra);
  return toLineRecord(stream, timestamp, line, { ...extra, bytes: Buffer.from(text, "latin1") });
}
