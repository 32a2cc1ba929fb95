import * as v from "valibot";
import { ChangesRecord } from "./changes.js";
import { ExitReason } from "./failure.js";

/**
 * The records of `raw.jsonl`: what the process really printed, in arrival order, and how it ended.
 * Replaying them through the translator gives the run's events again, exactly.
 */

const timestamp = v.pipe(v.string(), v.isoTimestamp());

/** One native line without its line feed; `bytes` (base64) instead of `line` if it is not valid UTF-8. */
export const LineRecord = v.strictObject({
  timestamp,
  /**
   * `received`: what came over another connection than the pipes of the process. `stored`: a line of the session that the agent
   * keeps on disk itself.
   */
  stream: v.picklist(["stdout", "stderr", "received", "stored"]),
  line: v.exactOptional(v.string()),
  bytes: v.exactOptional(v.string()),
  /** `false` on a last line that had no line feed. */
  newline: v.exactOptional(v.literal(false)),
  /** How many bytes beyond the cap were read and not kept. */
  droppedBytes: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});
export type LineRecord = v.InferOutput<typeof LineRecord>;

/** A notice of harness itself during the run; becomes a `warning`. */
export const NoticeRecord = v.strictObject({
  timestamp,
  stream: v.literal("harness"),
  message: v.string(),
  code: v.string(),
});
export type NoticeRecord = v.InferOutput<typeof NoticeRecord>;

/** What harness sent to the agent in a live session: one line, as it was written, without its line feed. */
export const SentRecord = v.strictObject({
  timestamp,
  stream: v.literal("sent"),
  line: v.string(),
  /** A prompt begins this turn. */
  turnId: v.exactOptional(v.string()),
  /** Who decided, on the answer to a request. Absent: the caller. */
  by: v.exactOptional(v.literal("policy")),
  /** The rule that decided. */
  rule: v.exactOptional(v.string()),
});
export type SentRecord = v.InferOutput<typeof SentRecord>;

/** One of several processes has ended: agents without a live protocol take a process per turn. */
export const ProcessRecord = v.strictObject({
  timestamp,
  stream: v.literal("process"),
  exitCode: v.nullable(v.number()),
  signal: v.nullable(v.string()),
  /** The harness stopped the process after its final message: the outcome does not change. */
  stopped: v.exactOptional(v.literal(true)),
  /** The process could not be started. */
  startFailure: v.exactOptional(
    v.strictObject({ kind: v.picklist(["not_installed", "config", "unknown"]), message: v.string() }),
  ),
});
export type ProcessRecord = v.InferOutput<typeof ProcessRecord>;

/** The last record. It is missing if harness itself was killed: then the recording is `interrupted`. */
export const ExitRecord = v.strictObject({
  timestamp,
  stream: v.literal("exit"),
  exitCode: v.nullable(v.number()),
  signal: v.nullable(v.string()),
  reason: ExitReason,
  /** The harness stopped the process after its final message: the outcome does not change. */
  stopped: v.exactOptional(v.literal(true)),
  /** The process could not be started. */
  startFailure: v.exactOptional(
    v.strictObject({ kind: v.picklist(["not_installed", "config", "unknown"]), message: v.string() }),
  ),
  /** Why harness ended the run (`the run took longer than its time limit of 30 s`). */
  detail: v.exactOptional(v.string()),
});
export type ExitRecord = v.InferOutput<typeof ExitRecord>;

export const RawRecord = v.variant("stream", [
  LineRecord,
  SentRecord,
  NoticeRecord,
  ProcessRecord,
  ChangesRecord,
  ExitRecord,
]);
/** One record of `raw.jsonl`. `kind` says which one. */
export type RawRecord = v.InferOutput<typeof RawRecord>;
