import { asObject, asText } from "../../../text/fields.js";
import { parseOwnJson } from "../../../text/parse-json.js";
import type { Mapping, Sink } from "../../contract.js";
import { type RpcRequest, readRpcMessage } from "../../shared/json-rpc.js";
import { outcomeOf } from "./answers.js";
import { createLiveItems } from "./items.js";
import { createNotices } from "./notices.js";
import { programRequests, quietMethods } from "./quiet.js";
import { createReplies } from "./replies.js";
import { createSession, type Notice } from "./session.js";
import { textOfUserInput } from "./user-input.js";

/** `codex app-server` (recorded with 0.166.0), both directions. */
export function createAppServerMapping(): Mapping {
  const session = createSession();
  const { errors, threads, turns, speech, requests } = session;
  const replies = createReplies(session);
  const notices = { ...createNotices(session), ...createLiveItems(session) };

  function notified(method: string, notice: Omit<Notice, "speaker">, out: Sink): void {
    const quiet = quietMethods.get(method);
    if (quiet !== undefined) return out.consume(`${method}: ${quiet}`);
    if (!Object.hasOwn(notices, method)) return;
    const { params } = notice;
    const named = asText(params["threadId"]) ?? asText(asObject(params["thread"])?.["id"]);
    const speaker = threads.speakerOf(named);
    if (speaker === "other") return out.consume(`${method}: another thread`);
    notices[method]?.({ ...notice, speaker }, out);
  }

  function asked({ id, method, params }: RpcRequest, out: Sink): void {
    if (programRequests.has(method)) return out.consume(`${method}: for the client, not the user`);
    const speaker = threads.speakerOf(asText(params["threadId"]));
    if (speaker === "other") return out.consume(`${method}: another thread`);
    const request = requests.toRequest(method, params, out);
    if (request === undefined) return;
    if (speaker.parentCallId === undefined) turns.enter(asText(params["turnId"]), out);
    out.live.request({ requestId: String(id), parentCallId: speaker.parentCallId, ...request });
    out.consume(`${method}: already open`);
  }

  function sentRequest({ id, method, params }: RpcRequest, out: Sink): void {
    replies.expect(id, method);
    const threadId = asText(params["threadId"]);
    if (method === "turn/interrupt" && threadId === threads.current) out.live.interruptTurn();
    if (method === "turn/start" && turns.current === undefined) {
      if (threadId !== undefined) threads.follow(threadId);
      replies.expect(id, method, turns.prompted(textOfUserInput(params["input"]), out));
    }
    out.consume(method);
  }

  return {
    record(record, out) {
      const message = readRpcMessage(record);
      if (message === undefined) return;
      if (message.type === "request") return asked(message, out);
      if (message.type !== "notification") return replies.received(message, out);
      notified(message.method, { params: message.params, record }, out);
    },
    skip(line) {
      const method = line.endsWith("}") ? /^\{"method":"([^"]+)","params"/.exec(line)?.[1] : undefined;
      const quiet = method === undefined ? undefined : quietMethods.get(method);
      return quiet === undefined ? undefined : `${method}: ${quiet}`;
    },
    sent(line, out) {
      const message = readRpcMessage(parseOwnJson(line));
      if (message?.type === "request") return sentRequest(message, out);
      if (message?.type === "notification") return out.consume(message.method);
      if (message === undefined) return;
      const request = out.live.openRequest(String(message.id));
      if (request === undefined) return out.consume("answer: its request is no longer open");
      const result = message.type === "result" ? message.result : undefined;
      out.live.endRequest(String(message.id), outcomeOf(request, result));
    },
    /** If the process died before the turn could fail, the held error is the cause. */
    flush(out) {
      speech.cut({ threadId: threads.current ?? "", parentCallId: undefined }, out);
      errors.flush(out);
    },
  };
}
