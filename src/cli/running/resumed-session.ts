import type { AgentDefinition } from "../../agents/definition.js";
import { HarnessError, isHarnessError } from "../../errors.js";
import { newest } from "../../runs/archive/find.js";
import { type Recording, recordings } from "../../runs/archive/recordings.js";

/**
 * `--resume` takes the id of one of our recordings (or its beginning, or `last`), or the agent's own session id. For
 * the latter there is no recording. `last` without a recording and an ambiguous id are errors.
 */
export async function findResumed(id: string): Promise<Recording | undefined> {
  return recordings.find(id).catch((error: unknown) => {
    const isOurs = id === newest || (isHarnessError(error) && error.code === "ambiguous_session");
    if (isOurs) throw error;
    return undefined;
  });
}

/** The agent's own id of the recorded session. */
export function agentSessionOf({ meta }: Recording, agent: AgentDefinition): string {
  if (meta.agent !== agent.id) {
    throw new HarnessError(
      "wrong_agent",
      `the recording ${meta.runId} is a run of ${meta.agent}, not of ${agent.id}; add --agent ${meta.agent}`,
    );
  }
  if (meta.isIsolated)
    throw new HarnessError(
      "no_session",
      `the recording ${meta.runId} cannot be continued: the run was isolated, and its session went with its home; start a new one without --resume`,
    );
  if (meta.sessionId !== undefined) return meta.sessionId;
  throw new HarnessError(
    "no_session",
    `the recording ${meta.runId} has no session of ${agent.name} to continue; start a new one without --resume`,
  );
}
