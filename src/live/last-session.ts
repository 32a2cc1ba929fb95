import type { AgentDefinition } from "../agents/definition.js";
import { HarnessError } from "../errors.js";
import type { RecordingMeta } from "../events/recording-meta.js";
import { newestFirst, recordingIds } from "../runs/archive/recording-ids.js";
import { readMeta } from "../runs/recording/meta.js";
import { defaultRecordingsDirectory, recordingPaths } from "../runs/recording/paths.js";

/** How many of the newest recordings are looked at. */
const mostRecordings = 10_000;

/**
 * The agent's own id of the newest recorded session of this agent in this directory, also of one that was interrupted.
 * Throws `no_session` if there is none.
 */
export function findLastSession(
  agent: AgentDefinition,
  cwd: string,
  directory = defaultRecordingsDirectory(),
): string {
  const timeOf = (id: string): number | undefined => {
    const started = Date.parse(metaOf(directory, id)?.startedAt ?? "");
    return Number.isNaN(started) ? undefined : started;
  };
  let looked = 0;
  for (const id of newestFirst(recordingIds(directory), timeOf)) {
    const meta = metaOf(directory, id);
    // The session of an isolated run went with its home.
    const isHere = meta?.agent === agent.id && meta.cwd === cwd && !meta.isIsolated;
    if (isHere && meta.sessionId !== undefined) return meta.sessionId;
    looked += 1;
    if (looked >= mostRecordings) break;
  }
  const message = `no session of ${agent.name} was recorded in ${cwd} yet; leave \`resume\` out to start one`;
  throw new HarnessError("no_session", message);
}

/** A sidecar that cannot be read is passed over: it is not the one to resume. */
function metaOf(directory: string, id: string): RecordingMeta | undefined {
  try {
    return readMeta(recordingPaths(directory, id).meta);
  } catch {
    return undefined;
  }
}
