import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Answer, LiveTask, Peer, PeerHost, SentNote, SessionRequest } from "../../live-contract.js";
import { endsTurn, isAllowed } from "../answers.js";
import { readOnlyAgent, type ServeDialect } from "./dialect.js";
import { type Ask, type HttpAnswer, openServeSession } from "./handshake.js";
import { errorWords, isGood, readServerLine, toRequestLine } from "./lines.js";

/** How often an interrupt is repeated if the session goes on working. */
const mostAborts = 5;

interface State {
  sessionId: string | undefined;
  model: string | undefined;
  /** What is done with the answers to come, in the order of the requests. */
  waiting: (((answer: HttpAnswer) => void) | undefined)[];
  /** Open requests of the agent, by id. */
  open: Map<string, "permission" | "question">;
  /** Interrupts of the running turn. */
  aborts: number;
  connections: number;
}

export function createServePeer(dialect: ServeDialect, host: PeerHost, task: LiveTask): Peer {
  const state: State = {
    sessionId: undefined,
    model: task.model,
    waiting: [],
    open: new Map(),
    aborts: 0,
    connections: 0,
  };

  const ask: Ask = ({ method, path, body, note }, done) => {
    state.waiting.push(done);
    host.send(toRequestLine(method, path, body), note);
  };

  function prompt(text: string, note: SentNote, done?: (answer: HttpAnswer) => void): void {
    if (state.sessionId === undefined) return;
    const body = {
      ...modelOf(state.model),
      ...(task.permissions === "read-only" && { agent: readOnlyAgent }),
      parts: [{ type: "text", text }],
    };
    ask({ method: "POST", path: ["session", state.sessionId, "prompt_async"], body, note }, done);
  }

  function abort(): void {
    if (state.sessionId === undefined || state.aborts >= mostAborts) return;
    state.aborts++;
    ask({ method: "POST", path: ["session", state.sessionId, "abort"] });
  }

  return {
    open() {
      openServeSession({ ask, task, dialect }, (opened) => {
        if ("failure" in opened) return host.fail(opened.failure);
        state.sessionId = opened.sessionId;
        host.ready();
      });
    },
    received(line) {
      const read = readServerLine(line);
      if (read?.kind === "answer") state.waiting.shift()?.(read);
      else if (read?.event !== undefined) onEvent(read.event, { state, ask, abort, dialect });
    },
    prompt(text, turnId) {
      state.aborts = 0;
      prompt(text, { turnId });
    },
    steer: (text) =>
      new Promise((resolve, reject) => {
        prompt(text, {}, (answer) => {
          if (isGood(answer.status)) resolve();
          else reject(new Error(errorWords(answer)));
        });
      }),
    /** The server forgets to withdraw what it asked, so open requests are rejected after the abort (1.18.33, 7.7.9). */
    interrupt() {
      abort();
      for (const [id, kind] of state.open) ask(rejection(id, kind));
      state.open.clear();
    },
    answer(request, answer, note) {
      if (!state.open.delete(request.requestId)) return;
      ask({ ...toReply(request, answer), note });
      if (endsTurn(answer)) abort();
    },
    async setModel(model) {
      state.model = model;
    },
    close() {},
  };
}

interface Parts {
  state: State;
  ask: Ask;
  abort(): void;
  dialect: ServeDialect;
}

function onEvent(event: JsonObject, { state, ask, abort, dialect }: Parts): void {
  const type = asText(event["type"]) ?? "";
  const properties = asObject(event["properties"]) ?? {};
  const id = asText(properties["id"]);
  const requestId = asText(properties["requestID"]);
  if (type === "permission.asked" && id !== undefined) state.open.set(id, "permission");
  else if (type === "question.asked" && id !== undefined) state.open.set(id, "question");
  else if (requestId !== undefined && settledEvents.has(type)) state.open.delete(requestId);
  else if (type === "server.connected" && ++state.connections > 1) catchUp(ask);
  else if (type === "session.status" && isBusy(properties, state) && state.aborts > 0) abort();
  const declined = dialect.declined?.[type];
  if (declined !== undefined && id !== undefined)
    ask({ method: "POST", path: declined.split("/").map((part) => (part === "*" ? id : part)), body: {} });
}

/** A request was answered by harness or elsewhere. */
const settledEvents: ReadonlySet<string> = new Set([
  "permission.replied",
  "question.replied",
  "question.rejected",
]);

/** The stream of events was opened again: what was missed is asked for. */
function catchUp(ask: Ask): void {
  for (const path of [["permission"], ["question"], ["session", "status"]]) ask({ method: "GET", path });
}

/** An abort that came before the turn had begun has no effect: the session goes on working. */
function isBusy({ sessionID, status }: JsonObject, state: State): boolean {
  return sessionID === state.sessionId && asObject(status)?.["type"] === "busy";
}

/** `provider/model`, as `--model` takes it. */
function modelOf(model: string | undefined): { model?: { providerID: string; modelID: string } } {
  if (model === undefined) return {};
  const [providerID = "", ...rest] = model.split("/");
  return { model: { providerID, modelID: rest.join("/") } };
}

type Reply = Parameters<Ask>[0];

function rejection(id: string, kind: "permission" | "question"): Reply {
  return kind === "question"
    ? { method: "POST", path: ["question", id, "reject"] }
    : { method: "POST", path: ["permission", id, "reply"], body: { reply: "reject" } };
}

/** A rejection without a reason ends the turn, so one is always given. */
const noReason = "The user does not allow this.";

function toReply({ requestId, kind, questions = [] }: SessionRequest, answer: Answer): Reply {
  if (kind === "question") {
    if (!("answers" in answer)) return rejection(requestId, "question");
    const answers = questions.map(({ id }) => [...(answer.answers[id] ?? [])]);
    return { method: "POST", path: ["question", requestId, "reply"], body: { answers } };
  }
  const path = ["permission", requestId, "reply"];
  if (isAllowed(answer)) return { method: "POST", path, body: { reply: answer.always ? "always" : "once" } };
  const message = ("message" in answer ? answer.message : undefined) || noReason;
  return { method: "POST", path, body: { reply: "reject", message } };
}
