import type {
  InitializeResponse,
  ListSessionsResponse,
  LoadSessionResponse,
  NewSessionResponse,
  SetSessionConfigOptionResponse,
} from "@agentclientprotocol/sdk";
import type { AgentDefinition } from "../../agents/definition.js";
import { sessionAbilities } from "../../agents/session-abilities.js";
import { createRunId } from "../../events/run-id.js";
import { open } from "../../live/open.js";
import type { SessionTask } from "../../live/session-task.js";
import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { findSession, type HistoryPlace, historyOf, listSessions } from "./history.js";
import { createModelChoice, isOwnChoice, type KnownModel, modelOptionId } from "./model-choice.js";
import { directoryParam, promptParam, serversParam, textParam } from "./params.js";
import { createRpc, type Rpc, RpcError, rpcCodes } from "./rpc.js";
import { type ClientFacts, type ServedSession, serveSession } from "./served-session.js";

export interface AcpServerOptions {
  agent: AgentDefinition;
  /** What every session is opened with. */
  task: Omit<SessionTask, "agent" | "cwd" | "resume" | "mcpServers" | "onRequest">;
  /** The models that the agent knows by the names that harness has. */
  models: readonly KnownModel[];
  version: string;
  write(line: string): Promise<void> | undefined;
  /** A sentence for the log of the client. */
  complain(sentence: string): void;
}

/** An ACP agent, made of one of ours: lines in, lines out, any number of sessions. */
export interface AcpServer {
  received(line: string): void;
  /** The client is gone. Resolves when no session is left. */
  close(): Promise<void>;
  /** Stops all agents at once. */
  stop(): void;
}

export function createAcpServer(options: AcpServerOptions): AcpServer {
  const { agent, task } = options;
  const can = sessionAbilities(agent);
  const place: HistoryPlace = { agent, directory: task.sessionsDirectory };
  const isRecorded = task.log !== false && can?.resume === true;
  const sessions = createSessions(options, () => rpc);
  const { start, sessionOf, resumed } = sessions;

  const rpc: Rpc = createRpc(options.write, {
    requests: {
      async initialize(params) {
        sessions.client = factsOf(params);
        return describeServer(options, { isRecorded, canResume: can?.resume === true });
      },
      async "session/new"(params) {
        const sessionId = createRunId();
        const { configOptions } = start(sessionId, directoryParam(params), params);
        return { sessionId, ...(configOptions.length > 0 && { configOptions }) } satisfies NewSessionResponse;
      },
      "session/load": (params) => resumed(params, true),
      "session/resume": (params) => resumed(params, false),
      async "session/list"(params) {
        const found = isRecorded ? await listSessions(place, asText(params["cwd"])) : [];
        return { sessions: found } satisfies ListSessionsResponse;
      },
      "session/prompt": async (params) => sessionOf(params).prompt(promptParam(params)),
      async "session/close"(params) {
        await sessionOf(params).close();
        sessions.open.delete(textParam(params, "sessionId"));
        return {};
      },
      "session/set_config_option": async (params) => setOption(sessionOf(params), params),
    },
    notifications: {
      "session/cancel"(params) {
        void sessions.open.get(asText(params["sessionId"]) ?? "")?.cancel();
      },
    },
  });

  return {
    received: (line) => rpc.received(line),
    async close() {
      rpc.close();
      await Promise.all([...sessions.open.values()].map((session) => session.close()));
    },
    stop() {
      for (const session of sessions.open.values()) session.stop();
    },
  };
}

/** The sessions of one client, by the client's ids. */
interface Sessions {
  client: ClientFacts;
  open: Map<string, ServedSession>;
  start(sessionId: string, cwd: string, params: JsonObject, resume?: string): ServedSession;
  sessionOf(params: JsonObject): ServedSession;
  /** Goes on with an earlier session, and shows what was said in it if that is asked for. */
  resumed(params: JsonObject, isShown: boolean): Promise<LoadSessionResponse>;
}

function createSessions(options: AcpServerOptions, rpcOf: () => Rpc): Sessions {
  const { agent, task } = options;
  const sessions = new Map<string, ServedSession>();
  const place: HistoryPlace = { agent, directory: task.sessionsDirectory };

  function start(sessionId: string, cwd: string, params: JsonObject, resume?: string): ServedSession {
    const mcpServers = serversFor(options, params);
    const opened = open({
      ...task,
      agent,
      cwd,
      ...(resume === undefined ? { runId: sessionId } : { resume }),
      ...(mcpServers !== undefined && { mcpServers }),
    });
    const hasRules = typeof task.permissions === "object";
    const served = serveSession({
      sessionId,
      cwd,
      session: opened,
      rpc: rpcOf(),
      client: all.client,
      models: opened.can.setModel ? createModelChoice(options.models, task.model) : undefined,
      canAlways: opened.can.always || hasRules,
    });
    sessions.set(sessionId, served);
    return served;
  }

  function sessionOf(params: JsonObject): ServedSession {
    const sessionId = textParam(params, "sessionId");
    const session = sessions.get(sessionId);
    if (session !== undefined) return session;
    throw new RpcError(rpcCodes.notFound, `there is no session "${sessionId}"; open one with session/new`);
  }

  async function resumed(params: JsonObject, isShown: boolean): Promise<LoadSessionResponse> {
    const sessionId = textParam(params, "sessionId");
    const cwd = directoryParam(params);
    if (!sessionAbilities(agent)?.resume)
      throw new RpcError(rpcCodes.unknownMethod, `${agent.name} cannot resume a session`);
    // An editor that reconnects to a session gets it anew.
    await sessions.get(sessionId)?.close();
    const earlier = await findSession(sessionId, place);
    if (isShown)
      for await (const update of historyOf(earlier, cwd, place))
        await rpcOf().notify("session/update", { sessionId, update });
    const { configOptions } = start(sessionId, cwd, params, earlier.agentSession);
    return configOptions.length > 0 ? { configOptions } : {};
  }

  const all: Sessions = {
    client: { hasForms: false, canNotice: false },
    open: sessions,
    start,
    sessionOf,
    resumed,
  };
  return all;
}

function factsOf(params: JsonObject): ClientFacts {
  const capabilities = asObject(params["clientCapabilities"]);
  return {
    hasForms: asObject(asObject(capabilities?.["elicitation"])?.["form"]) !== undefined,
    canNotice: asObject(asObject(capabilities?.["session"])?.["notices"]) !== undefined,
  };
}

function describeServer(
  { agent, version }: AcpServerOptions,
  { isRecorded, canResume }: { isRecorded: boolean; canResume: boolean },
): InitializeResponse {
  const takesServers = canTakeServers(agent);
  return {
    protocolVersion: 1,
    agentInfo: { name: `harness-${agent.id}`, title: `${agent.name} (harness)`, version },
    agentCapabilities: {
      loadSession: isRecorded,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      mcpCapabilities: { http: takesServers, sse: false },
      sessionCapabilities: { close: {}, ...(canResume && { resume: {} }), ...(isRecorded && { list: {} }) },
    },
    authMethods: [],
  };
}

/** The agent's protocol must carry the servers: one-shot options are not enough. */
function canTakeServers({ capabilities, live }: AgentDefinition): boolean {
  return (
    capabilities.mcpServers === true && (live === undefined || live.options?.includes("mcpServers") === true)
  );
}

function serversFor(
  { agent, complain }: AcpServerOptions,
  params: JsonObject,
): SessionTask["mcpServers"] | undefined {
  const servers = serversParam(params);
  const names = Object.keys(servers);
  if (names.length === 0) return undefined;
  if (canTakeServers(agent)) return servers;
  complain(`${agent.name} cannot be given MCP servers in a session; left out: ${names.join(", ")}`);
  return undefined;
}

async function setOption(
  session: ServedSession,
  params: JsonObject,
): Promise<SetSessionConfigOptionResponse> {
  const value = textParam(params, "value");
  if (textParam(params, "configId") !== modelOptionId || session.configOptions.length === 0)
    throw new RpcError(rpcCodes.invalidParams, "this session has no such option");
  if (isOwnChoice(value))
    throw new RpcError(rpcCodes.invalidParams, "the agent cannot go back to its own choice; name a model");
  await session.setModel(value);
  return { configOptions: session.configOptions };
}
