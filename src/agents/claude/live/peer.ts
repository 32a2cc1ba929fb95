import { asArray, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { toJson } from "../../../text/to-json.js";
import type { LiveTask, Peer, PeerHost } from "../../live-contract.js";
import { responseTo } from "./answers.js";
import { createRunningTasks } from "./background.js";
import {
  answerLine,
  type ControlRequest,
  readAnswer,
  readRecord,
  readRequest,
  refusalLine,
  requestLine,
} from "./control.js";
import { createPrompts } from "./prompts.js";
import { createToolGate, toolHook } from "./tool-gate.js";
import { createUuids } from "./uuids.js";

/** Called with the answer to a request of ours: its error, or undefined. */
type Settle = (error: string | undefined) => void;

/** What a person is asked. */
const questions: ReadonlySet<string> = new Set(["can_use_tool", "elicitation"]);

/** The client of one session with Claude Code. */
export function createClaudePeer(host: PeerHost, task: LiveTask): Peer {
  const gate = createToolGate(task.cwd);
  const prompts = createPrompts();
  const tasks = createRunningTasks();
  const nextUuid = createUuids(task.password);
  /** Requests of the agent that wait for an answer. */
  const asked = new Map<string, ControlRequest>();
  /** Requests of ours that wait for the agent. */
  const pending = new Map<string, Settle>();
  let count = 0;
  let isReady = false;
  let isTurnOpen = false;

  function request(subtype: string, fields: JsonObject = {}, settle?: Settle): void {
    count += 1;
    const requestId = `harness_${count}`;
    const content = { subtype, ...fields };
    if (settle !== undefined) pending.set(requestId, settle);
    prompts.requested({ requestId, subtype, request: content });
    host.send(requestLine(requestId, content));
  }

  function opened(error: string | undefined): void {
    if (error !== undefined) return host.fail(`Claude Code refused to start a session: ${error}`);
    isReady = true;
    host.ready();
  }

  function userLine(text: string, uuid: string): string {
    const message = { role: "user", content: [{ type: "text", text }] };
    return toJson({ type: "user", message, parent_tool_use_id: null, session_id: "", uuid });
  }

  const records: Readonly<Record<string, (record: JsonObject) => void>> = {
    control_request(record) {
      const given = readRequest(record);
      if (given === undefined) return;
      const { requestId, subtype } = given;
      if (questions.has(subtype)) asked.set(requestId, given);
      else if (subtype === "hook_callback") host.send(answerLine(requestId, gate.decide(given.request)));
      else host.send(refusalLine(requestId, `harness does not know the request "${subtype}"`));
    },
    control_cancel_request(record) {
      asked.delete(asText(record["request_id"]) ?? "");
    },
    control_response(record) {
      const answer = readAnswer(record);
      const settle = answer && pending.get(answer.requestId);
      if (answer === undefined || settle === undefined) return;
      pending.delete(answer.requestId);
      settle(answer.error);
    },
    system(record) {
      if (record["subtype"] !== "init") return;
      if (!isTurnOpen) prompts.began();
      isTurnOpen = true;
    },
    result(record) {
      isTurnOpen = false;
      gate.forgetCalls();
      if (!isReady) host.fail(failureOf(record));
    },
  };

  return {
    open() {
      const hooks = task.permissions === "ask" ? { PreToolUse: [{ hookCallbackIds: [toolHook] }] } : null;
      request("initialize", { hooks }, opened);
    },
    received(line) {
      const record = readRecord(line);
      if (record === undefined) return;
      prompts.received(record);
      tasks.received(record);
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record);
    },
    prompt(text, turnId) {
      const uuid = nextUuid();
      isTurnOpen = true;
      prompts.opened({ text, uuid });
      host.send(userLine(text, uuid), { turnId });
    },
    async steer(text) {
      const uuid = nextUuid();
      prompts.queued({ text, uuid });
      host.send(userLine(text, uuid));
    },
    interrupt() {
      // What waits would otherwise be the next turn, right after the interrupted one.
      for (const { uuid } of prompts.waiting)
        if (uuid !== undefined) request("cancel_async_message", { message_uuid: uuid });
      request("interrupt");
    },
    answer({ requestId, callId }, answer, note) {
      const given = asked.get(requestId);
      if (given === undefined) return;
      asked.delete(requestId);
      const isAlways = "allow" in answer && answer.allow && answer.always && answer.input === undefined;
      if (isAlways) gate.allowAlways(callId);
      host.send(answerLine(requestId, responseTo(given, answer)), note);
    },
    setModel(model) {
      return new Promise((resolve, reject) => {
        request("set_model", { model }, (error) =>
          error === undefined ? resolve() : reject(new Error(error)),
        );
      });
    },
    close() {
      // Otherwise 2.1.325 goes on until they have ended, and then asks the model again.
      for (const id of tasks.ids) request("stop_task", { task_id: id });
      for (const settle of pending.values()) settle("the session was closed");
      pending.clear();
    },
  };
}

/** A result before the handshake: it cannot start, for example since there is no such session to resume. */
function failureOf(result: JsonObject): string {
  const errors = (asArray(result["errors"]) ?? []).flatMap((error) => asText(error) ?? []);
  return errors.join("\n") || asText(result["result"]) || "Claude Code ended before the session began";
}
