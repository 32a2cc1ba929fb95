import type { JsonObject } from "../../../text/json.js";
import type { PeerHost, SentNote } from "../../live-contract.js";
import type { RpcId, RpcReply } from "../json-rpc.js";
import { createPendingAnswers } from "../pending-answers.js";
import type { Cause } from "./dialect.js";
import { causeOf } from "./failure.js";

/** What harness sends to the agent: requests, notifications, and answers to the agent's requests. */
export interface OwnMessages {
  request(method: string, params: object, then: Then, note?: SentNote): void;
  /** The same as a promise, which rejects if the agent refuses. */
  ask(method: string, params: object): Promise<void>;
  notify(method: string, params: object): void;
  result(id: RpcId, result: object, note?: SentNote): void;
  /** `code` as JSON-RPC has it: -32601 for a method that is not offered. */
  refuse(id: RpcId, code: number, message: string): void;
  /** An answer of the agent. Ignored if nothing waits for it. */
  answered(reply: RpcReply): void;
}

export interface Then {
  done(answer: JsonObject): void;
  refused(cause: Cause): void;
}

export function createOwnMessages(host: PeerHost): OwnMessages {
  const pending = createPendingAnswers<RpcId, RpcReply>((count) => count);

  function send(message: object, note?: SentNote): void {
    host.send(JSON.stringify({ jsonrpc: "2.0", ...message }), note);
  }

  function request(method: string, params: object, then: Then, note?: SentNote): void {
    const id = pending.expect((reply) => {
      if (reply.type === "result") then.done(reply.result);
      else then.refused(causeOf(reply.error));
    });
    send({ id, method, params }, note);
  }

  return {
    request,
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        const refused = ({ message }: Cause): void => reject(new Error(message));
        request(method, params, { done: () => resolve(), refused });
      }),
    notify: (method, params) => send({ method, params }),
    result: (id, result, note) => send({ id, result }, note),
    refuse: (id, code, message) => send({ id, error: { code, message } }),
    answered: (reply) => pending.answered(reply.id, reply),
  };
}
