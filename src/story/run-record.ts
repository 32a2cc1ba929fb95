import type { HarnessEvent } from "../events/event.js";
import type { ExitReason } from "../events/failure.js";
import type { RecordingMeta } from "../events/recording-meta.js";

/** What is known of a run besides its events: the sidecar of its recording, or part of it. */
export type RunMeta = Pick<RecordingMeta, "runId" | "agent" | "cwd" | "prompt" | "startedAt"> &
  Partial<RecordingMeta>;

/** How a run ended, as the session list says it. */
export type RunOutcome = ExitReason | "running";

/** A whole run: everything that an export is made from. */
export interface RunRecord {
  meta: RunMeta;
  outcome: RunOutcome;
  events: readonly HarnessEvent[];
}
