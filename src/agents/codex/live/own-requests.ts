import { asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { PeerHost, SentNote } from "../../live-contract.js";
import type { RpcId, RpcReply } from "../../shared/json-rpc.js";
import { createPendingAnswers, sessionClosed } from "../../shared/pending-answers.js";

/** Called with the result, or with the words of the error. */
export type OnReply = (result: JsonObject, error: string | undefined) => void;

/** The requests of harness to Codex. */
export interface OwnRequests {
  send(method: string, params: JsonValue, onReply?: OnReply, note?: SentNote): void;
  /** An answer of Codex. */
  answered(reply: RpcReply): void;
  /** No more answers will come, and nothing more is sent. */
  close(): void;
}

type Settled = Parameters<OnReply>;

export function createOwnRequests(host: PeerHost): OwnRequests {
  const pending = createPendingAnswers<RpcId, Settled>((count) => count);
  let isClosed = false;

  return {
    send(method, params, onReply, note) {
      if (isClosed) return onReply?.(...closed);
      const id = pending.expect((settled) => onReply?.(...settled));
      host.send(JSON.stringify({ id, method, params }), note);
    },
    answered(reply) {
      pending.answered(
        reply.id,
        reply.type === "error" ? [{}, errorOf(reply.error)] : [reply.result, undefined],
      );
    },
    close() {
      isClosed = true;
      pending.close(closed);
    },
  };
}

const closed: Settled = [{}, sessionClosed];

/** The words of an error that Codex answers with. */
export function errorOf(error: JsonObject): string {
  return asText(error["message"]) ?? "Codex gave no reason";
}
