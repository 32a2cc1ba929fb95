import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { CreateMapping, Mapping, Sink } from "../../contract.js";
import { type AcpAgent, createAcpAgent } from "./agent.js";
import { createAcpCalls } from "./calls.js";
import type { AcpDialect } from "./dialect.js";
import { causeOf } from "./failure.js";
import { createOwnSessions, type OwnSessions } from "./own-sessions.js";
import { createPrompts, type Prompts } from "./prompts.js";
import { type AcpRequests, createAcpRequests } from "./requests.js";
import { createAcpSpeech } from "./speech.js";
import { createAcpUpdates } from "./updates.js";
import { createAcpUsage } from "./usage.js";
import { type AcpVoices, createAcpVoices } from "./voices.js";
import { keyOf, type Message, readLine, readMessage, textOf, type WireId } from "./wire.js";

/** Reads both directions of an ACP session. */
export function createAcpMapping(dialect: AcpDialect): CreateMapping {
  return ({ cwd }) => {
    const parts = createParts(dialect, cwd);
    const received = createReceived(parts);
    const sent = createSent(parts);
    return {
      record(record, out) {
        const message = readMessage(record);
        if (message !== undefined) received(message, record, out);
      },
      sent(line, out) {
        const message = readLine(line);
        if (message !== undefined) sent(message, out);
      },
      flush: (out) => parts.voices.endTurn({ hasFigures: true, isRefused: true }, out),
      todoTools: dialect.todoTools,
    } satisfies Mapping;
  };
}

/** A request of ours that is not answered yet. */
interface SentRequest {
  method: string;
  params: JsonObject;
}

interface Parts {
  agent: AcpAgent;
  sessions: OwnSessions;
  prompts: Prompts;
  requests: AcpRequests;
  voices: AcpVoices;
  update(update: JsonObject, out: Sink): void;
  pending: Map<string, SentRequest>;
}

function createParts(dialect: AcpDialect, cwd: string | undefined): Parts {
  const agent = createAcpAgent(dialect);
  const speech = createAcpSpeech();
  const calls = createAcpCalls(dialect, agent, speech);
  const usage = createAcpUsage(dialect, agent);
  const sessions = createOwnSessions({ dialect, usage, cwd });
  const { modelChanged } = sessions;
  const voices = createAcpVoices({ dialect, agent, speech, calls });
  const update = createAcpUpdates({ dialect, speech, voices, calls, usage, modelChanged });
  let hasFigures = false;
  const prompts = createPrompts({
    dialect,
    begins(prompt) {
      hasFigures = false;
      calls.beginTurn();
      usage.beginTurn();
      voices.beginTurn(prompt);
    },
    answered(answer) {
      hasFigures ||= asObject(answer["usage"]) !== undefined;
      usage.answered(answer);
    },
    ends({ isRefused }, out) {
      voices.endTurn({ hasFigures, isRefused }, out);
      calls.endTurn(out);
      usage.endTurn({ isOneRequest: !calls.hasReturned() }, out);
    },
  });
  const requests = createAcpRequests(agent, calls);
  return { agent, sessions, prompts, requests, voices, update, pending: new Map() };
}

/** What harness sends. */
function createSent({ sessions, prompts, requests, pending }: Parts) {
  const methods: Readonly<Record<string, (id: WireId, params: JsonObject, out: Sink) => void>> = {
    "session/prompt"(id, params, out) {
      sessions.prompted(params);
      prompts.sent(id, params, out);
    },
    "session/load": (_id, params) => sessions.loading(params),
  };
  return (message: Message, out: Sink): void => {
    if (message.type === "request") {
      const { id, method, params } = message;
      pending.set(keyOf(id), { method, params });
      if (Object.hasOwn(methods, method)) methods[method]?.(id, params, out);
      return out.consume(method);
    }
    if (message.type !== "notification") {
      const isKnown = requests.answered(
        message.id,
        message.type === "result" ? message.result : undefined,
        out,
      );
      return isKnown ? undefined : out.consume("answer to the agent");
    }
    if (message.method === "session/cancel") prompts.cancelled(out);
    out.consume(message.method);
  };
}

/** What the agent sends. A message that no rule knows emits nothing, so it becomes `unknown`. */
function createReceived(parts: Parts) {
  const { sessions, requests } = parts;
  const answered = createAnswered(parts);

  const asked: Readonly<Record<string, (id: WireId, params: JsonObject, out: Sink) => void>> = {
    "session/request_permission": requests.permission,
    "elicitation/create": requests.elicitation,
  };

  function update(params: JsonObject, out: Sink): void {
    const rule = sessions.ruleFor(params);
    const content = asObject(params["update"]);
    const isState = stateUpdates.has(asText(content?.["sessionUpdate"]) ?? "");
    if (rule !== undefined && !isState) return out.consume(rule);
    if (content !== undefined) parts.update(content, out);
  }

  return (message: Message, record: JsonObject, out: Sink): void => {
    if (message.type === "result" || message.type === "error") return answered(message, out);
    const { method, params } = message;
    if (method === "session/update") return update(params, out);
    if (message.type === "request" && Object.hasOwn(asked, method))
      return asked[method]?.(message.id, params, out);
    if (withoutMeaning.test(method)) return out.consume(method);
    out.emit({ type: "unknown", raw: record });
  };
}

/** What a session has cost and which model it uses is not history, even while that is repeated. */
const stateUpdates: ReadonlySet<string> = new Set(["usage_update", "config_option_update"]);

/**
 * Messages that say nothing about the session: files and terminals of the client, which harness does not offer; whether codex-acp is
 * signed in; what Qwen Code 0.24.4 would fold into a turn, and what it suggests as the next prompt.
 */
const withoutMeaning = /^(?:fs\/|terminal\/|_auth\/|craft\/|qwen\/notify\/)/;

/** Answers of the agent to requests of harness. */
function createAnswered({ agent, sessions, prompts, pending }: Parts) {
  const results: Readonly<Record<string, (answer: JsonObject, params: JsonObject, out: Sink) => void>> = {
    initialize(answer, _params, out) {
      agent.introduce(answer);
      out.run.agentVersion = agent.version;
    },
    "session/new": sessions.opened,
    "session/load": sessions.opened,
    "session/resume": sessions.opened,
    "session/fork": sessions.opened,
    "session/set_model": (_answer, params, out) => out.session({ model: asText(params["modelId"]) }),
    "session/set_config_option": (answer, _params, out) => sessions.modelChanged(answer, out),
    // Goose: the words have joined the running turn.
    "_goose/unstable/session/steer": (_answer, params, out) =>
      out.emit({ type: "agent", role: "user", message: textOf(asArray(params["prompt"])) }),
  };

  function refused({ method, params }: SentRequest, error: JsonObject, out: Sink): void {
    if (method === "session/load") sessions.refused(params);
    const { message, code } = causeOf(error);
    if (opens.has(method)) return out.emit({ type: "error", message, code });
    if (method.startsWith("session/set_") || method.endsWith("/steer"))
      return out.emit({ type: "warning", message: `${method} was refused: ${message}`, code });
    out.consume(`${method}: refused`);
  }

  return (message: Message & { type: "result" | "error" }, out: Sink): void => {
    const key = keyOf(message.id);
    const request = pending.get(key);
    if (request === undefined) return;
    pending.delete(key);
    out.consume(`answer to ${request.method}`);
    if (request.method === "session/prompt") {
      if (message.type === "result") prompts.answered(message.id, message.result, out);
      else prompts.refused(message.id, message.error, out);
    } else if (message.type === "error") refused(request, message.error, out);
    else if (Object.hasOwn(results, request.method))
      results[request.method]?.(message.result, request.params, out);
  };
}

const opens: ReadonlySet<string> = new Set(["initialize", "session/new", "session/load"]);
