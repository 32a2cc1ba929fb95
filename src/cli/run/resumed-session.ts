import type { AgentDefinition } from "../../agents/definition.js";
import { HarnessError } from "../../errors.js";
import { sessions } from "../../sessions/index.js";

/**
 * `--resume` takes the agent's own session id, or the id of one of our recordings (its beginning, or `last`):
 * the agent is then given the id of the session that was recorded.
 */
export async function findAgentSession(id: string, agent: AgentDefinition): Promise<string> {
  const session = await sessions.find(id).catch(() => undefined);
  if (session === undefined) return id;
  const { meta } = session;
  if (meta.agent !== agent.id) {
    throw new HarnessError(
      "wrong_agent",
      `the recording ${meta.runId} is one of ${meta.agent}, not of ${agent.id}; add --agent ${meta.agent}`,
    );
  }
  if (meta.sessionId !== undefined) return meta.sessionId;
  throw new HarnessError(
    "no_session",
    `the recording ${meta.runId} has no session of ${agent.name} to go on with`,
  );
}
