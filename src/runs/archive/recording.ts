import { HarnessError } from "../../errors.js";
import { exitReasons } from "../../events/failure.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { isObject } from "../../text/fields.js";
import { readMeta } from "../recording/meta.js";
import { type RecordingPaths, recordingPaths } from "../recording/paths.js";
import { type RecordedOutcome, readRecordedEnd } from "../recording/recorded-outcome.js";

/** How a recorded run ended. `interrupted`: its harness died before it could record the end. */
export const recordingOutcomes = [...exitReasons, "running"] as const;

/** One recorded run: how it ended, its sidecar (completed from the exit record if it was not finished), and its files. */
export interface Recording {
  /** The run id, which is the name of the recording's files. */
  id: string;
  outcome: RecordedOutcome;
  meta: RecordingMeta;
  paths: RecordingPaths;
}

/** Reads the sidecar of a recording. Throws a HarnessError when it is missing or damaged. */
export function openRecording(directory: string, id: string): Recording {
  const paths = recordingPaths(directory, id);
  const meta = readMeta(paths.meta);
  if (!isComplete(meta)) {
    const message = `${paths.meta} is damaged: it is not the sidecar of a recording; remove it with \`harness sessions rm ${id}\``;
    throw new HarnessError("unreadable_recording", message);
  }
  return { id, ...readRecordedEnd(meta, paths), paths };
}

/** A sidecar can be damaged or written by hand. True if it has the fields that every reader needs. */
export function isComplete(meta: unknown): meta is RecordingMeta {
  if (!isObject(meta)) return false;
  const { runId, agent, cwd, prompt, startedAt } = meta;
  const texts = [runId, agent, cwd, prompt, startedAt];
  return texts.every((text) => typeof text === "string") && !Number.isNaN(Date.parse(String(startedAt)));
}
