import type { JsonValue } from "../../../text/json.js";
import type { PeerHost, SentNote } from "../../live-contract.js";
import type { WireError, WireId, WireMessage } from "./wire.js";

export type OnReply = (result: JsonValue | undefined, error: WireError | undefined) => void;

/** Requests of ours, with ids of their own, and who waits for the answers. */
export interface Calls {
  call(method: string, params: JsonValue, onReply?: OnReply, note?: SentNote): void;
  /** An answer has come. Nobody may wait for it. */
  replied(reply: WireMessage & { kind: "reply" }): void;
  /** No more answers will come, and nothing more is asked. */
  close(): void;
}

export function createCalls(host: PeerHost): Calls {
  const waiting = new Map<WireId, OnReply>();
  let count = 0;
  let isClosed = false;
  return {
    call(method, params, onReply = () => {}, note) {
      if (isClosed) return onReply(undefined, closed);
      count += 1;
      waiting.set(count, onReply);
      host.send(JSON.stringify({ id: count, method, params }), note);
    },
    replied({ id, result, error }) {
      const onReply = waiting.get(id);
      waiting.delete(id);
      onReply?.(result, error);
    },
    close() {
      isClosed = true;
      const left = [...waiting.values()];
      waiting.clear();
      for (const onReply of left) onReply(undefined, closed);
    },
  };
}

const closed: WireError = { message: "the session was closed" };
