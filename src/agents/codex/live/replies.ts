import { asObject, asText } from "../../../text/fields.js";
import type { Sink } from "../../contract.js";
import type { RpcId, RpcReply } from "../../shared/json-rpc.js";
import { errorOf } from "./own-requests.js";
import { announce, endTurn, type Session } from "./session.js";
import type { CodexTurn } from "./turns.js";

/** Codex's answers to what was sent. */
export interface Replies {
  /** A request was sent. `turn`: the turn that it began. */
  expect(id: RpcId, method: string, turn?: CodexTurn): void;
  received(reply: RpcReply, out: Sink): void;
}

/** Requests whose answer is a thread. Without it there is no session. */
const openers: ReadonlySet<string> = new Set(["thread/start", "thread/resume", "thread/fork"]);

export function createReplies(session: Session): Replies {
  const { threads, turns } = session;
  const expected = new Map<RpcId, { method: string; turn: CodexTurn | undefined }>();

  function refused(method: string, message: string, turn: CodexTurn | undefined, out: Sink): void {
    if (turn !== undefined && turn === turns.current) {
      const speaker = { threadId: threads.current ?? "", parentCallId: undefined };
      return endTurn(session, { status: "failed", error: { message } }, speaker, out);
    }
    const isFatal = method === "initialize" || openers.has(method);
    out.emit({ type: isFatal ? "error" : "warning", message: `${method}: ${message}` });
  }

  return {
    expect(id, method, turn) {
      expected.set(id, { method, turn });
    },
    received(reply, out) {
      const { method, turn } = expected.get(reply.id) ?? { method: "a request", turn: undefined };
      expected.delete(reply.id);
      if (reply.type === "error") return refused(method, errorOf(reply.error), turn, out);
      const answer = reply.result;
      turns.named(turn, asText(asObject(answer["turn"])?.["id"]));
      if (openers.has(method)) announce(answer, session, out);
      out.consume(`${method}: answered`);
    },
  };
}
