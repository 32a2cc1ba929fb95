import { knownOutcome } from "../../agents/steps.js";
import type { ExitReason } from "../../events/failure.js";
import type { ExitRecord } from "../../events/raw-record.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { isSameProcess } from "../../process/process-identity.js";
import { readMeta } from "./meta.js";
import type { RecordingPaths } from "./paths.js";
import { readExitRecord } from "./read-exit-record.js";

/** How a recorded run ended, or that it has not. */
export type RecordedOutcome = ExitReason | "running";

export interface RecordedEnd {
  outcome: RecordedOutcome;
  /** The sidecar. If it is unfinished, its end is taken from the exit record. */
  meta: RecordingMeta;
}

/** What is asked of the system. Tests replace it. */
export interface Witnesses {
  isAlive(meta: RecordingMeta): boolean;
  readMeta(path: string): RecordingMeta;
}

const system: Witnesses = { isAlive: isHarnessAlive, readMeta };

/**
 * How a recorded run ended. Used by everything that lists, shows, replays or translates a recording. A finished sidecar decides,
 * otherwise the exit record. Without either, the run goes on if its harness is alive, and was interrupted if it is not.
 */
export function readRecordedEnd(
  meta: RecordingMeta,
  paths: RecordingPaths,
  witnesses: Witnesses = system,
): RecordedEnd {
  const known = knownOutcome(meta);
  if (known !== undefined) return { outcome: known.reason, meta };
  // The order matters: once a harness is gone, everything it wrote is on disk.
  const isAlive = witnesses.isAlive(meta);
  const latest = isAlive ? meta : readAgain(meta, paths, witnesses);
  const finished = knownOutcome(latest);
  if (finished !== undefined) return { outcome: finished.reason, meta: latest };
  const exit = readExitRecord(paths.raw);
  if (exit !== undefined) return { outcome: exit.reason, meta: withExit(latest, exit) };
  return { outcome: isAlive ? "running" : "interrupted", meta: latest };
}

/** True while the harness that records a run is alive and may still write its sidecar. */
export function isHeld(meta: RecordingMeta): boolean {
  return knownOutcome(meta) === undefined && isHarnessAlive(meta);
}

function isHarnessAlive({ harness }: RecordingMeta): boolean {
  return harness !== undefined && isSameProcess(harness);
}

/** The sidecar may have been finished between reading it and looking for its harness. */
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
