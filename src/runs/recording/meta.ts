import { HarnessError, messageOf } from "../../errors.js";
import type { EventType } from "../../events/event.js";
import type { ExitReason, Failure } from "../../events/failure.js";
import type { ModelPrice } from "../../events/price.js";
import type { StopReason } from "../../events/stop-reason.js";
import type { TokenCounts, UsageScope } from "../../events/usage.js";
import type { ProcessIdentity } from "../../process/process-identity.js";
import { spellSafely } from "../../text/to-ndjson.js";
import { readRegularFile } from "../files/regular-file.js";
import { writeAtomically, writeInPlace } from "../files/write-atomically.js";

/** The sidecar of a recording: what was asked for, and how it went. */
export interface RecordingMeta {
  runId: string;
  agent: string;
  /** The built-in agent whose output format it has, if it is not built in itself. */
  translator?: string;
  /** The version that the agent reported, otherwise the one given at the start. */
  agentVersion?: string;
  /** The version given at the start. A replay starts with the same. */
  versionAtStart?: string;
  /** The session id or name that the agent was launched with; a replay starts with the same. */
  sessionAtStart?: string;
  /** The model that the agent reports, otherwise the one that was asked for. */
  model?: string;
  cwd: string;
  prompt: string;
  /** The program and its arguments. */
  argv: string[];
  /** Variables that were set for the run. Names only: values are never recorded. */
  envNames: string[];
  permissions: string;
  resume?: string;
  startedAt: string;
  endedAt?: string;
  outcome?: { isSuccess: boolean; reason: ExitReason; failure?: Failure };
  exitCode?: number | null;
  signal?: string;
  sessionId?: string;
  usage?: TokenCounts & { scope: UsageScope };
  costUsd?: number;
  /** Only when the cost is not the agent's own figure. */
  costSource?: "estimated";
  /** What the cost is estimated with when the agent reports none; a replay uses the same. */
  price?: ModelPrice;
  durationMs?: number;
  /** How many events there were of each type. */
  counts?: Partial<Record<EventType, number>>;
  /** The harness that runs it, until it has ended. */
  harness?: ProcessIdentity;
  /** Why the run is being stopped, while it is. */
  stopping?: StopReason;
  /** Why the recording stops before the run did. */
  problem?: string;
}

export function writeMeta(path: string, meta: RecordingMeta): void {
  writeAtomically(path, toText(meta));
}

/** For when `writeMeta` has failed: even on a full disk, the sidecar can be overwritten in its own space. */
export function writeMetaInPlace(path: string, meta: RecordingMeta): void {
  writeInPlace(path, toText(meta));
}

function toText(meta: RecordingMeta): string {
  return `${spellSafely(JSON.stringify(meta, null, 2))}\n`;
}

export function readMeta(path: string): RecordingMeta {
  try {
    return JSON.parse(readRegularFile(path));
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    const message = `cannot read ${path}: ${messageOf(error)}; list the sessions to see which there are`;
    throw new HarnessError("unreadable_recording", message, { cause: error });
  }
}
