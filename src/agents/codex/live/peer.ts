import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import type { PermissionMode } from "../../definition.js";
import type { LiveTask, Peer, PeerHost, SentNote } from "../../live-contract.js";
import { isUserRequest, toResult } from "./answers.js";
import { toUserInput, toWireMessage, type WireError, type WireId, type WireMessage } from "./wire.js";

/**
 * What a thread may do. `untrusted` asks for every command and every patch. Codex 0.166.0 takes it here, and refuses it in its
 * configuration.
 */
const policies: Readonly<Record<PermissionMode, JsonObject>> = {
  "full-access": { approvalPolicy: "never", sandbox: "danger-full-access" },
  "read-only": { approvalPolicy: "never", sandbox: "read-only" },
  ask: { approvalPolicy: "untrusted", sandbox: "read-only" },
};

/** Notifications that repeat what others say. The first holds the whole diff of the turn, after every request. */
const unwanted = ["turn/diff/updated", "thread/status/changed", "thread/readState/changed"];

/** The client of `codex app-server`. */
export function createAppServerPeer(host: PeerHost, task: LiveTask): Peer {
  const rpc = createCalls(host);
  const requests = new Map<string, WireMessage & { kind: "request" }>();
  const work = createWork(rpc.call);
  let threadId: string | undefined;
  let { model } = task;

  function openThread(): void {
    const params = {
      cwd: task.cwd,
      ...policies[task.permissions],
      ...(model !== undefined && { model }),
      ...(task.appendSystemPrompt !== undefined && { developerInstructions: task.appendSystemPrompt }),
    };
    const [method, about] =
      task.resume === undefined
        ? ["thread/start", params]
        : ["thread/resume", { threadId: task.resume, excludeTurns: true, ...params }];
    rpc.call(method, about, (result, error) => {
      threadId = asText(asObject(asObject(result)?.["thread"])?.["id"]);
      if (threadId === undefined) return host.fail(error?.message ?? "Codex did not name the thread");
      work.follow(threadId);
      host.ready();
    });
  }

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
    open() {
      const clientInfo = { name: "harness", title: "harness", version: "1" };
      const capabilities = {
        experimentalApi: true,
        requestAttestation: false,
        optOutNotificationMethods: unwanted,
      };
      rpc.call("initialize", { clientInfo, capabilities }, (_result, error) => {
        if (error !== undefined) return host.fail(error.message);
        host.send(JSON.stringify({ method: "initialized" }));
        rpc.call("getAuthStatus", { includeToken: false, refreshToken: false }, (status) =>
          isSignedOut(status) ? host.fail(signedOut) : openThread(),
        );
      });
    },
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
    steer: (text) => work.steer(text),
    interrupt: () => work.interrupt(undefined),
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
    close() {
      rpc.close();
    },
  };
}

/** `exec` takes a key from the environment, `app-server` does not (0.166.0): its prompts would all be refused. */
const signedOut = "Codex is not signed in: app-server does not read CODEX_API_KEY, so run `codex login` first";

/** Providers of the user's own need no sign-in. */
function isSignedOut(status: JsonValue | undefined): boolean {
  const { requiresOpenaiAuth, authMethod } = asObject(status) ?? {};
  return requiresOpenaiAuth === true && authMethod === null;
}

/** The thread whose turn the decision `cancel` ends. */
function endedBy({ params }: WireMessage & { kind: "request" }, result: JsonValue): string | undefined {
  return asObject(result)?.["decision"] === "cancel" ? asText(params["threadId"]) : undefined;
}

type OnReply = (result: JsonValue | undefined, error: WireError | undefined) => void;
type Call = (method: string, params: JsonValue, onReply?: OnReply, note?: SentNote) => void;

/** Requests with ids of their own, and who waits for the answers. */
function createCalls(host: PeerHost) {
  const waiting = new Map<WireId, OnReply>();
  let count = 0;
  return {
    call(method: string, params: JsonValue, onReply: OnReply = () => {}, note?: SentNote): void {
      count += 1;
      waiting.set(count, onReply);
      host.send(JSON.stringify({ id: count, method, params }), note);
    },
    replied({ id, result, error }: WireMessage & { kind: "reply" }): void {
      const onReply = waiting.get(id);
      waiting.delete(id);
      onReply?.(result, error);
    },
    close(): void {
      const left = [...waiting.values()];
      waiting.clear();
      for (const onReply of left) onReply(undefined, { message: "the session was closed" });
    },
  };
}

/**
 * The turns that run: that of the session, and those of its subagents, which go on by themselves when the session's turn is
 * interrupted. A command also goes on. Only `thread/backgroundTerminals/clean` ends it, after the turn has ended (0.166.0).
 */
function createWork(call: Call) {
  /** The running turn of each thread. */
  const running = new Map<string, string>();
  const stopped = new Set<string>();
  let own: string | undefined;
  let isStopping = false;
  const steering: { text: string; resolve(): void; reject(error: Error): void }[] = [];

  /** Codex refuses to interrupt a turn that it has not started, so this waits for the start. */
  function stop(threadId: string, turnId: string): void {
    if (stopped.has(turnId)) return;
    stopped.add(turnId);
    call("turn/interrupt", { threadId, turnId });
  }

  function sendSteering(): void {
    const turnId = running.get(own ?? "");
    if (turnId === undefined) return;
    for (const { text, resolve, reject } of steering.splice(0)) {
      const params = { threadId: own ?? "", expectedTurnId: turnId, input: toUserInput(text) };
      call("turn/steer", params, (_result, error) => (error ? reject(new Error(error.message)) : resolve()));
    }
  }

  function dropSteering(): void {
    for (const { reject } of steering.splice(0)) reject(new Error("no turn runs"));
  }

  return {
    follow(threadId: string): void {
      own = threadId;
    },
    /** A prompt is sent, or was refused: no turn runs. */
    prompted(): void {
      isStopping = false;
      dropSteering();
    },
    /** `ending`: a thread whose turn an answer already ends. */
    interrupt(ending: string | undefined): void {
      isStopping = true;
      for (const [threadId, turnId] of running) {
        if (threadId === ending) stopped.add(turnId);
        else stop(threadId, turnId);
      }
    },
    steer: (text: string): Promise<void> =>
      new Promise((resolve, reject) => {
        steering.push({ text, resolve, reject });
        sendSteering();
      }),
    notified(method: string, params: JsonObject): void {
      const threadId = asText(params["threadId"]);
      const turn = asObject(params["turn"]);
      const turnId = asText(turn?.["id"]);
      if (threadId === undefined || turnId === undefined) return;
      if (method === "turn/started") {
        running.set(threadId, turnId);
        if (isStopping || stopped.has(asText(turn?.["rootTurnId"]) ?? "")) stop(threadId, turnId);
        if (threadId === own) sendSteering();
      } else if (method === "turn/completed") {
        if (running.get(threadId) === turnId) running.delete(threadId);
        if (turn?.["status"] === "interrupted") call("thread/backgroundTerminals/clean", { threadId });
        if (threadId !== own) return;
        isStopping = false;
        dropSteering();
      }
    },
  };
}
