import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import type { LiveTask, Peer, PeerHost } from "../../live-contract.js";
import { endsTurn } from "../../shared/answers.js";
import { type RpcRequest, readRpcMessage } from "../../shared/json-rpc.js";
import { isUserRequest, toResult } from "./answers.js";
import { shakeHands } from "./handshake.js";
import { createOwnRequests } from "./own-requests.js";
import { toUserInput } from "./user-input.js";
import { createWork } from "./work.js";

/** The client of `codex app-server`. */
export function createAppServerPeer(host: PeerHost, task: LiveTask): Peer {
  const own = createOwnRequests(host);
  /** Requests of Codex that wait for an answer. */
  const requests = new Map<string, RpcRequest>();
  const work = createWork(own);
  let threadId: string | undefined;
  let { model } = task;

  function asked(request: RpcRequest): void {
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
      shakeHands(own, {
        host,
        task,
        onThread(opened) {
          threadId = opened;
          work.follow(opened);
        },
      }),
    received(line) {
      const message = readRpcMessage(parseJson(line));
      if (message === undefined) return;
      if (message.type === "request") asked(message);
      else if (message.type === "notification") notified(message.method, message.params);
      else own.answered(message);
    },
    prompt(text, turnId) {
      if (threadId === undefined) return;
      const params = { threadId, input: toUserInput(text), ...(model !== undefined && { model }) };
      work.prompted();
      own.send("turn/start", params, (_result, error) => error && work.prompted(), { turnId });
    },
    steer: work.steer,
    interrupt: () => work.interrupt(),
    answer({ requestId }, answer, note) {
      const request = requests.get(requestId);
      const result = request && toResult(request.method, request.params, answer);
      if (request === undefined || result === undefined) return;
      requests.delete(requestId);
      host.send(JSON.stringify({ id: request.id, result }), note);
      if (endsTurn(answer)) work.interrupt(endedBy(request, result));
    },
    setModel(name) {
      model = name;
      return Promise.resolve();
    },
    close: own.close,
  };
}

/** The thread whose turn the decision `cancel` ends. */
function endedBy({ params }: RpcRequest, result: JsonValue): string | undefined {
  return asObject(result)?.["decision"] === "cancel" ? asText(params["threadId"]) : undefined;
}
