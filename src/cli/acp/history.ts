import type { SessionInfo, SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentDefinition } from "../../agents/definition.js";
import { isHarnessError } from "../../errors.js";
import { createSessionUpdates } from "../../outputs/acp/updates.js";
import { type Recording, recordings } from "../../runs/archive/recordings.js";
import { toVisibleLine } from "../../text/cut.js";
import { RpcError, rpcCodes } from "./rpc.js";

export interface HistoryPlace {
  agent: AgentDefinition;
  /** Where recordings are. Default: the user's data directory. */
  directory?: string | undefined;
}

/** The most sessions that are listed, and that are searched for the parts of one. */
const mostSessions = 200;
const longestTitle = 80;

/** The recorded sessions that can be resumed, newest first. */
export async function listSessions(place: HistoryPlace, cwd: string | undefined): Promise<SessionInfo[]> {
  const found = await recordings.list({ ...filterOf(place), ...(cwd !== undefined && { cwd }) });
  return found.filter(isResumable).map(({ id, meta }) => ({
    sessionId: id,
    cwd: meta.cwd,
    title: toVisibleLine(meta.prompt, longestTitle),
    updatedAt: meta.endedAt ?? meta.startedAt,
  }));
}

function filterOf({ agent, directory }: HistoryPlace): object {
  return { agent: agent.id, limit: mostSessions, ...(directory !== undefined && { directory }) };
}

function isResumable({ meta }: Recording): boolean {
  return meta.sessionId !== undefined && !meta.isIsolated && meta.batch === undefined;
}

/** A session of an earlier connection: the agent's own id of it, and what was recorded. */
export interface EarlierSession {
  agentSession: string;
  /** In the order in which they were recorded. Empty: it is not one of ours, but the agent may know it. */
  parts: readonly Recording[];
}

/** Finds a session by the id of its recording. An id that no recording has is taken for the agent's own. */
export async function findSession(sessionId: string, place: HistoryPlace): Promise<EarlierSession> {
  const { agent, directory } = place;
  const first = await recordings
    .find(sessionId, directory === undefined ? {} : { directory })
    .catch((error: unknown) => {
      if (isHarnessError(error) && error.code === "unknown_session") return undefined;
      throw error;
    });
  if (first === undefined) return { agentSession: sessionId, parts: [] };
  const agentSession = first.meta.sessionId;
  if (first.meta.agent !== agent.id || agentSession === undefined || first.meta.isIsolated) {
    const message = `the recording ${first.id} has no session of ${agent.name} that could be resumed; start a new one`;
    throw new RpcError(rpcCodes.notFound, message);
  }
  const all = await recordings.list(filterOf(place));
  const later = all.filter(({ id, meta }) => id !== first.id && meta.resume === agentSession);
  return { agentSession, parts: [first, ...later.reverse()] };
}

/** What a client is shown of an earlier session. A part that cannot be read is left out. */
export async function* historyOf(
  { parts }: EarlierSession,
  cwd: string,
  { agent, directory }: HistoryPlace,
): AsyncGenerator<SessionUpdate> {
  const updates = createSessionUpdates({ cwd, canNotice: false, hasPrompts: true });
  for (const { id, meta } of parts) {
    // A one-shot run has no turns: its prompt is in the sidecar only.
    if (meta.live === undefined)
      yield { sessionUpdate: "user_message_chunk", content: { type: "text", text: meta.prompt } };
    const replay = await recordings
      .replay(id, { agent, ...(directory !== undefined && { directory }) })
      .catch(() => undefined);
    if (replay === undefined) continue;
    for await (const event of replay) yield* updates.of(event);
  }
}
