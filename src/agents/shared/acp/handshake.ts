import type { InitializeRequest, LoadSessionRequest, NewSessionRequest } from "@agentclientprotocol/sdk";
import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { LiveTask, PeerHost } from "../../live-contract.js";
import type { Outgoing, Then } from "./outgoing.js";
import { readSessionState, type SessionState } from "./session-state.js";

/** What a session needs besides being open. */
export interface Setup {
  /** The mode for the task's permissions. Undefined: the mode in which the agent starts. */
  modeOf?(task: LiveTask): string | undefined;
  /** Options of the session for the task's permissions. */
  optionsOf?(task: LiveTask): Readonly<Record<string, string>>;
  /** The id with which an earlier session is loaded, if it must be spelled in another way. */
  loadIdOf?(sessionId: string): string;
  /** The model is set in the session, since no argument of the program does it. */
  setsModel?: true;
}

export interface OpenSession {
  sessionId: string;
  state: SessionState;
  /** The version of the agent. */
  version: string | undefined;
}

const protocolVersion = 1;

/**
 * `initialize`, then a new session or an earlier one, then its mode, its options and its model. Whatever the agent refuses ends the
 * session: it must not work with other permissions or another model than it was given.
 */
export function shakeHands(
  { host, outgoing, task, setup }: { host: PeerHost; outgoing: Outgoing; task: LiveTask; setup: Setup },
  ready: (session: OpenSession) => void,
): void {
  const step = (what: string, done: Then["done"]): Then => ({
    done,
    refused: ({ message }) => host.fail(`${what}: ${message}`),
  });

  let version: string | undefined;

  function initialized(answer: JsonObject): void {
    version = asText(asObject(answer["agentInfo"])?.["version"]);
    if (answer["protocolVersion"] !== protocolVersion)
      return host.fail(
        `the agent speaks version ${String(answer["protocolVersion"])} of ACP; harness speaks version 1`,
      );
    if (task.resume === undefined) return create();
    if (asObject(answer["agentCapabilities"])?.["loadSession"] !== true)
      return host.fail("the agent cannot resume a session");
    load(task.resume, setup.loadIdOf?.(task.resume) ?? task.resume);
  }

  function create(): void {
    const params = { cwd: task.cwd, mcpServers: [] } satisfies NewSessionRequest;
    outgoing.request(
      "session/new",
      params,
      step("the agent opened no session", (answer) => {
        const { sessionId } = answer;
        if (typeof sessionId !== "string") return host.fail("the agent opened a session without an id");
        prepare({ sessionId, state: readSessionState(answer), version });
      }),
    );
  }

  function load(resumed: string, sessionId: string): void {
    const params = { sessionId, cwd: task.cwd, mcpServers: [] } satisfies LoadSessionRequest;
    const done = (answer: JsonObject): void =>
      prepare({ sessionId, state: readSessionState(answer), version });
    outgoing.request("session/load", params, step(`Session not found: ${resumed}`, done));
  }

  function prepare(session: OpenSession): void {
    const requests = preparations(session, task, setup);
    const next = (): void => {
      const request = requests.shift();
      if (request === undefined) return ready(session);
      const [method, params] = request;
      outgoing.request(method, params, step(`${method} was refused`, next));
    };
    next();
  }

  const client = {
    protocolVersion,
    // An agent would work through the files and terminals of its client instead of by itself.
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      elicitation: { form: {} },
    },
    clientInfo: { name: "harness", title: "Harness", version: "1" },
  } satisfies InitializeRequest;
  outgoing.request("initialize", client, step("the agent refused the handshake", initialized));
}

/** The requests that bring a session into the state that its task needs. */
function preparations(session: OpenSession, task: LiveTask, setup: Setup): [string, object][] {
  const { sessionId, state } = session;
  const requests: [string, object][] = [];
  const modeId = setup.modeOf?.(task);
  if (modeId !== undefined && modeId !== state.modeId)
    requests.push(["session/set_mode", { sessionId, modeId }]);
  for (const [configId, value] of Object.entries(setup.optionsOf?.(task) ?? {})) {
    if (state.options.get(configId) !== value)
      requests.push(["session/set_config_option", { sessionId, configId, value }]);
  }
  const { model } = task;
  if (setup.setsModel && model !== undefined && model !== state.model)
    requests.push(modelRequest(session, model));
  return requests;
}

/** How the model of a session is set: by its own method, or as an option. */
export function modelRequest({ sessionId, state }: OpenSession, model: string): [string, object] {
  if (state.models.length > 0 || state.modelOptionId === undefined)
    return ["session/set_model", { sessionId, modelId: model }];
  return ["session/set_config_option", { sessionId, configId: state.modelOptionId, value: model }];
}
