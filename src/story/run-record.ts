import type { HarnessEvent } from "../events/event.js";
import type { ExitReason } from "../events/failure.js";
import type { RecordingMeta } from "../events/recording-meta.js";

/** What is known about a run besides its events: the sidecar of its recording, or part of it. */
export type RunMeta = Pick<RecordingMeta, "runId" | "agent" | "cwd" | "prompt" | "startedAt"> &
  Partial<RecordingMeta>;

/** How a run ended, or `running`. */
export type RunOutcome = ExitReason | "running";

/** A whole run: everything that an export is made from. */
export interface RunRecord {
  meta: RunMeta;
  outcome: RunOutcome;
  events: readonly HarnessEvent[];
}

/** Where the agent says it works, else where it was started. */
export function workingDirectory({ meta, events }: RunRecord): string {
  for (const event of events) if (event.type === "session" && event.cwd) return event.cwd;
  return meta.cwd;
}

/** What was asked for: the prompt of the run, else the first one of its live session. */
export function promptOf({
  meta,
  events,
}: {
  meta: Pick<RunMeta, "prompt">;
  events: readonly HarnessEvent[];
}): string {
  if (meta.prompt !== "") return meta.prompt;
  for (const event of events) if (event.type === "turn" && event.prompt !== undefined) return event.prompt;
  return "";
}
