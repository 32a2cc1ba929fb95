import type { RawRecord } from "../../events/raw-record.js";

/**
 * `raw` passes the agent's own output through. It is no function of events, so it has no view: whoever
 * writes it asks for the native line of each record instead.
 */
export const rawFormat = { name: "raw", isNative: true, toNativeLine } as const;

/** A line as the agent printed it: text, or base64 when its bytes are not valid UTF-8. */
export type NativeLine = ({ text: string } | { base64: string }) & {
  /** False on a last line that had no line feed. */
  hasLineFeed: boolean;
};

/** Standard output only: standard error, notices of the harness and the exit are not part of it. */
function toNativeLine(record: RawRecord): NativeLine | undefined {
  if (record.stream !== "stdout") return undefined;
  const hasLineFeed = record.newline !== false;
  if (record.line === undefined && record.bytes !== undefined) return { base64: record.bytes, hasLineFeed };
  return { text: record.line ?? "", hasLineFeed };
}
