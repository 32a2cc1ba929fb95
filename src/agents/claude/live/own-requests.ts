import type { JsonObject } from "../../../text/json.js";
import type { PeerHost } from "../../live-contract.js";
import { type ControlAnswer, type ControlRequest, requestLine } from "./control.js";

/** Called with the error of the answer, or undefined. */
export type Settle = (error: string | undefined) => void;

/** The requests of harness to the agent. */
export interface OwnRequests {
  send(subtype: string, fields?: JsonObject, settle?: Settle): ControlRequest;
  /** Resolves when the agent has agreed, and rejects if it refuses. */
  ask(subtype: string, fields: JsonObject): Promise<void>;
  /** An answer of the agent. Answers to anything else are ignored. */
  answered(answer: ControlAnswer): void;
  /** No more answers will come. */
  close(): void;
}

export function createOwnRequests(host: Pick<PeerHost, "send">): OwnRequests {
  const pending = new Map<string, Settle>();
  let count = 0;

  function send(subtype: string, fields: JsonObject = {}, settle?: Settle): ControlRequest {
    count += 1;
    const requestId = `harness_${count}`;
    const request = { subtype, ...fields };
    if (settle !== undefined) pending.set(requestId, settle);
    host.send(requestLine(requestId, request));
    return { requestId, subtype, request };
  }

  return {
    send,
    ask: (subtype, fields) =>
      new Promise((resolve, reject) => {
        send(subtype, fields, (error) => (error === undefined ? resolve() : reject(new Error(error))));
      }),
    answered({ requestId, error }) {
      const settle = pending.get(requestId);
      pending.delete(requestId);
      settle?.(error);
    },
    close() {
      const open = [...pending.values()];
      pending.clear();
      for (const settle of open) settle("the session was closed");
    },
  };
}
