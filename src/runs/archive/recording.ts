import { HarnessError } from "../../errors.js";
import { exitReasons } from "../../events/failure.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { isObject } from "../../text/fields.js";
import { readMeta } from "../recording/meta.js";
import { type RecordingPaths, recordingPaths } from "../recording/paths.js";
import { type RecordedOutcome, readRecordedEnd } from "../recording/recorded-outcome.js";

/** How a recorded run ended; `interrupted` when the harness died before it could tell. */
export const sessionOutcomes = [...exitReasons, "running"] as const;
export type SessionOutcome = RecordedOutcome;

/** One recorded run: its sidecar (with the end that the exit record tells, if it was not finished), how it ended, and where its files are. */
export interface Session {
  /** The run id: the name of its files. */
  id: string;
  outcome: SessionOutcome;
  meta: RecordingMeta;
  paths: RecordingPaths;
}

/** Reads the sidecar of a recording. Throws a HarnessError when it is missing or damaged. */
export function openSession(directory: string, id: string): Session {
  const paths = recordingPaths(directory, id);
  const meta = readMeta(paths.meta);
  if (!isComplete(meta)) {
    const message = `${paths.meta} is damaged: it is not the sidecar of a recording; remove it with \`harness sessions rm ${id}\``;
    throw new HarnessError("unreadable_recording", message);
  }
  return { id, ...readRecordedEnd(meta, paths), paths };
}

/** Files can be damaged or written by hand: what is read everywhere must be there. */
export function isComplete(meta: unknown): meta is RecordingMeta {
  if (!isObject(meta)) return false;
  const { runId, agent, cwd, prompt, startedAt } = meta;
  const texts = [runId, agent, cwd, prompt, startedAt];
  return texts.every((text) => typeof text === "string") && !Number.isNaN(Date.parse(String(startedAt)));
}
