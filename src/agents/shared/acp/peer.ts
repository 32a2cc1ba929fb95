import type { CancelNotification, PromptRequest } from "@agentclientprotocol/sdk";
import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { LiveTask, Peer, PeerHost } from "../../live-contract.js";
import { modelRequest, type OpenSession, type Setup, shakeHands } from "./handshake.js";
import { createOpenRequests } from "./open-requests.js";
import { createOutgoing } from "./outgoing.js";
import { type Message, metaOf, readLine } from "./wire.js";

/** What the client of one agent does besides the protocol. */
export interface PeerDialect extends Setup {
  /** How long this version still writes its session file after the last answer. */
  settleMsOf?(version: string | undefined): number;
  /** It takes words into the running turn (Goose). */
  canSteer?: true;
  canSetModel?: true;
}

/** The client of an ACP session. */
export function createAcpPeer(dialect: PeerDialect, host: PeerHost, task: LiveTask): Peer {
  const outgoing = createOutgoing(host);
  const requests = createOpenRequests(outgoing, task);
  let session: OpenSession | undefined;
  /** Prompts that are not answered. */
  let running = 0;
  /** Goose's id of the running turn. */
  let runId: string | undefined;

  function noteRun(params: JsonObject): void {
    const goose = metaOf(asObject(params["update"]), "goose");
    if (goose !== undefined && "activeRunId" in goose) runId = asText(goose["activeRunId"]);
  }

  function interrupt(): void {
    if (session === undefined || running === 0) return;
    outgoing.notify("session/cancel", { sessionId: session.sessionId } satisfies CancelNotification);
    requests.withdraw();
  }

  function answered(): void {
    running -= 1;
    if (running === 0) requests.clear();
  }

  const received: { [T in Message["type"]]: (message: Message & { type: T }) => void } = {
    request: requests.asked,
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
      shakeHands({ host, outgoing, task, setup: dialect }, (opened) => {
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
      const params = { sessionId: session.sessionId, prompt: promptOf(text) } satisfies PromptRequest;
      outgoing.request("session/prompt", params, { done: answered, refused: answered }, { turnId });
    },
    ...(dialect.canSteer && {
      async steer(text: string) {
        if (session === undefined || runId === undefined) throw new Error("the turn cannot be steered yet");
        const params = { sessionId: session.sessionId, expectedRunId: runId, prompt: promptOf(text) };
        await outgoing.ask("_goose/unstable/session/steer", params);
      },
    }),
    interrupt,
    answer({ requestId }, answer, note) {
      const isAnswered = requests.answer(requestId, answer, note);
      if (isAnswered && "allow" in answer && !answer.allow && answer.interrupt) interrupt();
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

function promptOf(text: string): { type: "text"; text: string }[] {
  return [{ type: "text", text }];
}
