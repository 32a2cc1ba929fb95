import type { CancelNotification, PromptRequest } from "@agentclientprotocol/sdk";
import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { LiveTask, Peer, PeerHost } from "../../live-contract.js";
import { answerToForm, answerToPermission, withdrawals } from "./answers.js";
import { modelRequest, type OpenSession, openSession, type Setup } from "./handshake.js";
import { createOutgoing } from "./outgoing.js";
import { requestIdOf } from "./requests.js";
import { type Message, metaOf, readLine, type WireId } from "./wire.js";

/** What the client of one agent does besides the protocol. */
export interface PeerDialect extends Setup {
  /** How long this version still writes its session file after the last answer. */
  settleMsOf?(version: string | undefined): number;
  /** It takes words into the running turn (Goose). */
  canSteer?: true;
  canSetModel?: true;
}

interface OpenRequest {
  id: WireId;
  method: string;
  params: JsonObject;
}

/** The client of an ACP session. */
export function createAcpPeer(dialect: PeerDialect, host: PeerHost, task: LiveTask): Peer {
  const outgoing = createOutgoing(host);
  /** What the agent waits for, by the id that the events have. */
  const open = new Map<string, OpenRequest>();
  let session: OpenSession | undefined;
  /** Prompts that are not answered. */
  let running = 0;
  let isCancelling = false;
  /** Goose's id of the running turn. */
  let runId: string | undefined;

  function asked({ id, method, params }: Message & { type: "request" }): void {
    const withdrawal = withdrawals[method];
    if (withdrawal === undefined || (method === "elicitation/create" && params["mode"] === "url"))
      return outgoing.refuse(id, -32601, `harness does not offer ${method}`);
    // A turn that is being cancelled gets no more answers.
    if (isCancelling) return outgoing.result(id, withdrawal);
    open.set(requestIdOf(id), { id, method, params });
  }

  function noteRun(params: JsonObject): void {
    const goose = metaOf(asObject(params["update"]), "goose");
    if (goose !== undefined && "activeRunId" in goose) runId = asText(goose["activeRunId"]);
  }

  function interrupt(): void {
    if (session === undefined || running === 0) return;
    isCancelling = true;
    outgoing.notify("session/cancel", { sessionId: session.sessionId } satisfies CancelNotification);
    for (const { id, method } of open.values()) outgoing.result(id, withdrawals[method] ?? {});
    open.clear();
  }

  function answered(): void {
    running -= 1;
    if (running > 0) return;
    isCancelling = false;
    open.clear();
  }

  const received: { [T in Message["type"]]: (message: Message & { type: T }) => void } = {
    request: asked,
    notification({ method, params }) {
      if (method === "session/update") noteRun(params);
    },
    result: outgoing.received,
    error: outgoing.received,
  };

  return {
    get settleMs() {
      return dialect.settleMsOf?.(session?.version) ?? 0;
    },
    open() {
      openSession({ host, outgoing, task, setup: dialect }, (opened) => {
        session = opened;
        host.ready();
      });
    },
    received(line) {
      const message = readLine(line);
      if (message !== undefined) (received[message.type] as (message: Message) => void)(message);
    },
    prompt(text, turnId) {
      if (session === undefined) return;
      running += 1;
      const prompt: PromptRequest["prompt"] = [{ type: "text", text }];
      const params = { sessionId: session.sessionId, prompt };
      outgoing.request("session/prompt", params, { done: answered, refused: answered }, { turnId });
    },
    ...(dialect.canSteer && {
      async steer(text: string) {
        if (session === undefined || runId === undefined) throw new Error("the turn cannot be steered yet");
        const prompt: PromptRequest["prompt"] = [{ type: "text", text }];
        const params = { sessionId: session.sessionId, expectedRunId: runId, prompt };
        await outgoing.ask("_goose/unstable/session/steer", params);
      },
    }),
    interrupt,
    answer({ requestId }, answer, note) {
      const request = open.get(requestId);
      if (request === undefined) return;
      open.delete(requestId);
      const { id, method, params } = request;
      const isPermission = method === "session/request_permission";
      const isFullAccess = task.permissions === "full-access";
      const result = isPermission
        ? answerToPermission(params, answer, isFullAccess)
        : answerToForm(params, answer);
      outgoing.result(id, result, note);
      if ("allow" in answer && !answer.allow && answer.interrupt) interrupt();
    },
    ...(dialect.canSetModel && {
      async setModel(model: string) {
        if (session === undefined) throw new Error("the session is not open yet");
        await outgoing.ask(...modelRequest(session, model));
      },
    }),
    close: interrupt,
  };
}
