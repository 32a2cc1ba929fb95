import type { ExitReason } from "../../events/failure.js";
import type { ExitRecord } from "../../events/raw-record.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { isSameProcess } from "../../process/process-identity.js";
import { toldOutcome } from "./end-without-exit.js";
import { readMeta } from "./meta.js";
import type { RecordingPaths } from "./paths.js";
import { readExitRecord } from "./read-exit-record.js";

/** How a recorded run ended, or that it has not. */
export type RecordedOutcome = ExitReason | "running";

export interface RecordedEnd {
  outcome: RecordedOutcome;
  /** The sidecar; its end is that of the exit record when the sidecar could not be finished. */
  meta: RecordingMeta;
}

/** What is asked of the system; for tests. */
export interface Witnesses {
  isAlive(meta: RecordingMeta): boolean;
  readMeta(path: string): RecordingMeta;
}

const system: Witnesses = { isAlive: isHarnessAlive, readMeta };

/**
 * How a recording says that its run ended: the one answer, for whoever lists, shows, replays or translates it. The finished
 * sidecar tells; else the exit record; without either the run goes on if its harness does, and was interrupted if not.
 */
export function readRecordedEnd(
  meta: RecordingMeta,
  paths: RecordingPaths,
  witnesses: Witnesses = system,
): RecordedEnd {
  const told = toldOutcome(meta);
  if (told !== undefined) return { outcome: told.reason, meta };
  // In this order: what a harness writes last is on disk when it is gone.
  const isAlive = witnesses.isAlive(meta);
  const latest = isAlive ? meta : readAgain(meta, paths, witnesses);
  const finished = toldOutcome(latest);
  if (finished !== undefined) return { outcome: finished.reason, meta: latest };
  const exit = readExitRecord(paths.raw);
  if (exit !== undefined) return { outcome: exit.reason, meta: withExit(latest, exit) };
  return { outcome: isAlive ? "running" : "interrupted", meta: latest };
}

/** True while the harness that records a run is there and may write its sidecar once more. */
export function isHeld(meta: RecordingMeta): boolean {
  return toldOutcome(meta) === undefined && isHarnessAlive(meta);
}

function isHarnessAlive({ harness }: RecordingMeta): boolean {
  return harness !== undefined && isSameProcess(harness);
}

/** The sidecar may have been finished after it was read and before its harness was looked for. */
function readAgain(meta: RecordingMeta, paths: RecordingPaths, witnesses: Witnesses): RecordingMeta {
  try {
    const latest = witnesses.readMeta(paths.meta);
    return latest.runId === meta.runId ? latest : meta;
  } catch {
    return meta;
  }
}

function withExit(meta: RecordingMeta, { timestamp, exitCode, signal }: ExitRecord): RecordingMeta {
  return { ...meta, endedAt: timestamp, exitCode, ...(signal !== null && { signal }) };
}
