import type { JsonObject } from "../../../text/json.js";
import type { PeerHost, SentNote } from "../../live-contract.js";
import type { Cause } from "./dialect.js";
import { causeOf } from "./failure.js";
import { keyOf, type Message, type WireId } from "./wire.js";

/** The requests of harness, and what becomes of them. */
export interface Outgoing {
  request(method: string, params: object, then: Then, note?: SentNote): void;
  /** The same as a promise, which rejects if the agent refuses. */
  ask(method: string, params: object): Promise<void>;
  notify(method: string, params: object): void;
  result(id: WireId, result: object, note?: SentNote): void;
  /** `code` as JSON-RPC has it: -32601 for a method that is not offered. */
  refuse(id: WireId, code: number, message: string): void;
  /** An answer of the agent. Ignored if nothing waits for it. */
  received(message: Message & { type: "result" | "error" }): void;
}

export interface Then {
  done(answer: JsonObject): void;
  refused(cause: Cause): void;
}

export function createOutgoing(host: PeerHost): Outgoing {
  const waiting = new Map<string, Then>();
  let lastId = 0;

  function send(message: object, note?: SentNote): void {
    host.send(JSON.stringify({ jsonrpc: "2.0", ...message }), note);
  }

  function request(method: string, params: object, then: Then, note?: SentNote): void {
    lastId += 1;
    waiting.set(keyOf(lastId), then);
    send({ id: lastId, method, params }, note);
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
    received(message) {
      const key = keyOf(message.id);
      const then = waiting.get(key);
      if (then === undefined) return;
      waiting.delete(key);
      if (message.type === "result") then.done(message.result);
      else then.refused(causeOf(message.error));
    },
  };
}
