import type { RawRecord } from "../../events/raw-record.js";
import type { Step } from "../../events/step.js";
import { decodeBase64 } from "../../text/base64.js";
import type { OutputDefinition, Piece } from "../contract.js";

/**
 * `raw` passes the agent's own output through, byte for byte: standard output and, in a live session, what came over another
 * connection. What harness sent is in `raw.jsonl` only.
 */
export const rawOutput = {
  name: "raw",
  summary: "what the agent itself printed, unchanged",
  isForPeople: false,
  schema: async () => (await import("../../events/raw-record.js")).RawRecord,
  open: () => ({ push: (steps) => steps.flatMap(nativePieces), end: () => [] }),
} as const satisfies OutputDefinition;

/** The native lines for programs that have records. It is not a function of events, so `formats` does not have it. */
export const rawFormat = { name: "raw", isNative: true, toNativeLine } as const;

/** A line as the agent printed it: text, or base64 when its bytes are not valid UTF-8. */
export type NativeLine = ({ text: string } | { base64: string }) & {
  /** False on a last line that had no line feed. */
  hasLineFeed: boolean;
};

/** Standard error, what was sent, notices of harness and the ends of processes are not part of it. */
function toNativeLine(record: RawRecord): NativeLine | undefined {
  if (record.stream !== "stdout" && record.stream !== "received" && record.stream !== "stored")
    return undefined;
  const hasLineFeed = record.newline !== false;
  if (record.line === undefined && record.bytes !== undefined) return { base64: record.bytes, hasLineFeed };
  return { text: record.line ?? "", hasLineFeed };
}

function nativePieces({ record }: Step): Piece[] {
  const line = record && toNativeLine(record);
  if (line === undefined) return [];
  const end = line.hasLineFeed ? "\n" : "";
  return "text" in line ? [line.text + end] : [decodeBase64(line.base64), end];
}
