import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import type { LiveTask, Peer, PeerHost } from "../../live-contract.js";
import { isUserRequest, toResult } from "./answers.js";
import { createCalls } from "./calls.js";
import { shakeHands } from "./handshake.js";
import { toUserInput, toWireMessage, type WireMessage } from "./wire.js";
import { createWork } from "./work.js";

/** The client of `codex app-server`. */
export function createAppServerPeer(host: PeerHost, task: LiveTask): Peer {
  const rpc = createCalls(host);
  const requests = new Map<string, WireMessage & { kind: "request" }>();
  const work = createWork(rpc);
  let threadId: string | undefined;
  let { model } = task;

  function asked(request: WireMessage & { kind: "request" }): void {
    if (isUserRequest(request.method)) return void requests.set(String(request.id), request);
    const error = { code: -32601, message: `harness does not answer ${request.method}` };
    host.send(JSON.stringify({ id: request.id, error }));
  }

  function notified(method: string, params: JsonObject): void {
    if (method === "serverRequest/resolved") requests.delete(String(params["requestId"]));
    else work.notified(method, params);
  }

  return {
    open: () =>
      shakeHands(rpc, {
        host,
        task,
        onThread(opened) {
          threadId = opened;
          work.follow(opened);
        },
      }),
    received(line) {
      const message = toWireMessage(parseJson(line));
      if (message?.kind === "reply") rpc.replied(message);
      else if (message?.kind === "request") asked(message);
      else if (message !== undefined) notified(message.method, message.params);
    },
    prompt(text, turnId) {
      if (threadId === undefined) return;
      const params = { threadId, input: toUserInput(text), ...(model !== undefined && { model }) };
      work.prompted();
      rpc.call("turn/start", params, (_result, error) => error && work.prompted(), { turnId });
    },
    steer: work.steer,
    interrupt: () => work.interrupt(),
    answer({ requestId }, answer, note) {
      const request = requests.get(requestId);
      const result = request && toResult(request.method, request.params, answer);
      if (request === undefined || result === undefined) return;
      requests.delete(requestId);
      host.send(JSON.stringify({ id: request.id, result }), note);
      if ("interrupt" in answer && answer.interrupt) work.interrupt(endedBy(request, result));
    },
    setModel(name) {
      model = name;
      return Promise.resolve();
    },
    close: rpc.close,
  };
}

/** The thread whose turn the decision `cancel` ends. */
function endedBy({ params }: WireMessage & { kind: "request" }, result: JsonValue): string | undefined {
  return asObject(result)?.["decision"] === "cancel" ? asText(params["threadId"]) : undefined;
}
