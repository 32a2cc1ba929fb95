import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { RequestOutcome, Sink } from "../../contract.js";
import { errorWords, isGood, readSentRequest, type SentRequest, type ServerLine } from "./lines.js";
import { announce, described, type SessionState, useSession } from "./session-state.js";
import { endIfOver, prompted, promptRefused } from "./turns.js";

type Answer = ServerLine & { kind: "answer" };

/** What harness sent, and what the server answered: answers come in the order of the requests. */
export interface Exchange {
  sent(line: string, out: Sink): void;
  answered(answer: Answer, out: Sink): void;
}

export function createExchange(state: SessionState): Exchange {
  const waiting: SentRequest[] = [];
  return {
    sent(line, out) {
      const request = readSentRequest(line);
      if (request === undefined) return out.consume("sent: not a request");
      waiting.push(request);
      const handle = Object.hasOwn(requests, request.route) ? requests[request.route] : undefined;
      handle?.(state, request, out);
    },
    answered(answer, out) {
      const request = waiting.shift();
      if (request === undefined) return out.consume("an answer to nothing that was sent");
      const handle = Object.hasOwn(answers, request.route) ? answers[request.route] : undefined;
      if (handle !== undefined) return handle(state, request, answer, out);
      if (isGood(answer.status) || answer.status === 404) return out.consume(`${request.route}: answered`);
      const message = `${request.route} was answered with ${answer.status}: ${errorWords(answer)}`;
      out.emit({ type: "warning", message });
    },
  };
}

type OnSent = (state: SessionState, request: SentRequest, out: Sink) => void;

const requests: Readonly<Record<string, OnSent>> = {
  "POST session * prompt_async"(state, { ids: [sessionId = ""], body }, out) {
    useSession(state, sessionId, out);
    prompted(state, promptOf(body), out);
  },
  "POST session * abort"(state, { ids: [sessionId] }, out) {
    if (sessionId !== state.threads.main?.id) return;
    state.turn.interrupted();
    out.live.interruptTurn();
  },
  "POST permission * reply"(state, { ids: [requestId = ""], body }, out) {
    const outcome = replies.get(asText(body["reply"]) ?? "") ?? "denied";
    answered(state, { requestId, outcome, message: asText(body["message"]) }, out);
  },
  "POST question * reply"(state, { ids: [requestId = ""] }, out) {
    answered(state, { requestId, outcome: "answered" }, out);
  },
  "POST question * reject"(state, { ids: [requestId = ""] }, out) {
    answered(state, { requestId, outcome: "denied" }, out);
  },
};

const replies: ReadonlyMap<string, RequestOutcome> = new Map([
  ["once", "allowed"],
  ["always", "allowed"],
  ["reject", "denied"],
]);

interface OwnAnswer {
  requestId: string;
  outcome: RequestOutcome;
  message?: string | undefined;
}

/** After an abort, requests that are still open are rejected, which only clears them away. */
function answered(state: SessionState, { requestId, outcome, message }: OwnAnswer, out: Sink): void {
  const isCleared = state.turn.isInterrupted && outcome === "denied";
  state.requests.answered(requestId, isCleared ? "withdrawn" : outcome, isCleared ? undefined : message, out);
}

function promptOf({ parts }: JsonObject): string {
  const texts = (asArray(parts) ?? []).flatMap((part) => asText(asObject(part)?.["text"]) ?? []);
  return texts.join("\n");
}

type OnAnswer = (state: SessionState, request: SentRequest, answer: Answer, out: Sink) => void;

/** A session that was created or found: prompts will go to it. */
const found: OnAnswer = (state, _request, { body }, out) => {
  out.consume("session: found");
  const info = asObject(body) ?? {};
  const id = asText(info["id"]);
  if (id === undefined || out.live.turnId !== undefined) return;
  useSession(state, id, out);
  described(state, info);
};

const answers: Readonly<Record<string, OnAnswer>> = {
  "POST session": found,
  "GET session *": found,
  "PATCH session *": found,
  "POST session * prompt_async"(state, _request, answer, out) {
    if (isGood(answer.status)) return out.consume("prompt_async: taken");
    const { status } = answer;
    promptRefused(state, { message: errorWords(answer), status }, out);
  },
  /** Asked for after the stream of events broke off. */
  "GET session status"(state, _request, { status, body }, out) {
    out.consume("session status");
    const sessions = asObject(body);
    const id = state.threads.main?.id;
    if (!isGood(status) || sessions === undefined || id === undefined) return;
    const own = asText(asObject(sessions[id])?.["type"]) ?? "idle";
    if (own !== "idle" || !state.turn.hasBegun) return;
    state.turn.surelyIdle();
    endIfOver(state, out);
  },
  "GET permission"(state, _request, { body }, out) {
    out.consume("permissions that are asked for");
    eachOpen(state, asArray(body) ?? [], out, state.requests.permissionAsked);
  },
  "GET question"(state, _request, { body }, out) {
    out.consume("questions that are asked");
    eachOpen(state, asArray(body) ?? [], out, state.requests.questionAsked);
  },
  "GET mcp"(state, _request, { body }, out) {
    out.consume("the MCP servers");
    state.requests.mcpServers(Object.keys(asObject(body) ?? {}));
  },
};

/** A request that was reported before is not reported again. */
function eachOpen(
  state: SessionState,
  list: readonly unknown[],
  out: Sink,
  report: SessionState["requests"]["permissionAsked"],
): void {
  for (const value of list) {
    const asked = asObject(value as JsonObject) ?? {};
    const thread = state.threads.find(asText(asked["sessionID"]));
    if (thread === undefined || out.live.turnId === undefined) continue;
    announce(state, out);
    report(asked, thread, out);
  }
}
