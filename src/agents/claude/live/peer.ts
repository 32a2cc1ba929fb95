import { asArray, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
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
} from "./control.js";
import { createOwnRequests, type OwnRequests } from "./own-requests.js";
import { createPrompts, promptLine } from "./prompts.js";
import { createToolGate, type ToolGate, toolHooks } from "./tool-gate.js";
import { createUuids } from "./uuids.js";

/** What a person is asked. */
const forPeople: ReadonlySet<string> = new Set(["can_use_tool", "elicitation"]);

/** The client of one session with Claude Code. */
export function createClaudePeer(host: PeerHost, task: LiveTask): Peer {
  const gate = createToolGate(task.cwd);
  const prompts = createPrompts();
  const tasks = createRunningTasks();
  const own = createOwnRequests(host);
  const nextUuid = createUuids(task.password);
  /** Requests of the agent that wait for an answer. */
  const asked = new Map<string, ControlRequest>();
  const handshake = createHandshake(host, own);
  let isTurnOpen = false;

  const records: Readonly<Record<string, (record: JsonObject) => void>> = {
    control_request(record) {
      const given = readRequest(record);
      if (given !== undefined && forPeople.has(given.subtype)) asked.set(given.requestId, given);
      else if (given !== undefined) host.send(answerByClient(given, gate));
    },
    control_cancel_request: (record) => void asked.delete(asText(record["request_id"]) ?? ""),
    control_response(record) {
      const answer = readAnswer(record);
      if (answer !== undefined) own.answered(answer);
    },
    system(record) {
      if (record["subtype"] !== "init") return;
      if (!isTurnOpen) prompts.began();
      isTurnOpen = true;
    },
    result(record) {
      isTurnOpen = false;
      gate.forgetCalls();
      handshake.ended(record);
    },
  };

  return {
    open: () => handshake.begin(task.permissions === "ask" ? toolHooks : null),
    received(line) {
      const record = readRecord(line);
      if (record === undefined) return;
      prompts.received(record);
      tasks.received(record);
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record);
    },
    prompt(text, turnId) {
      const prompt = { text, uuid: nextUuid() };
      isTurnOpen = true;
      prompts.opened(prompt);
      host.send(promptLine(prompt), { turnId });
    },
    async steer(text) {
      const prompt = { text, uuid: nextUuid() };
      prompts.queued(prompt);
      host.send(promptLine(prompt));
    },
    interrupt() {
      // What waits would otherwise be the next turn, right after the interrupted one.
      for (const { uuid } of prompts.waiting)
        if (uuid !== undefined) prompts.requested(own.send("cancel_async_message", { message_uuid: uuid }));
      own.send("interrupt");
    },
    answer({ requestId, callId }, answer, note) {
      const given = asked.get(requestId);
      if (given === undefined) return;
      asked.delete(requestId);
      const isAlways = "allow" in answer && answer.allow && answer.always && answer.input === undefined;
      if (isAlways) gate.allowAlways(callId);
      host.send(answerLine(requestId, responseTo(given, answer)), note);
    },
    setModel: (model) => own.ask("set_model", { model }),
    close() {
      // Otherwise 2.1.325 goes on until they have ended, and then asks the model again.
      for (const id of tasks.ids) own.send("stop_task", { task_id: id });
      own.close();
    },
  };
}

/** The answer to a request that no person is asked. */
function answerByClient({ requestId, subtype, request }: ControlRequest, gate: ToolGate): string {
  if (subtype === "hook_callback") return answerLine(requestId, gate.decide(request));
  return refusalLine(requestId, `harness does not know the request "${subtype}"`);
}

interface Handshake {
  begin(hooks: JsonObject | null): void;
  /** A result. Before the handshake it says that there is nothing to talk with: no such session to resume. */
  ended(result: JsonObject): void;
}

function createHandshake(host: PeerHost, own: OwnRequests): Handshake {
  let isOver = false;

  function settled(error: string | undefined): void {
    if (isOver) return;
    isOver = true;
    if (error === undefined) host.ready();
    else host.fail(`Claude Code refused to begin a session: ${error}`);
  }

  return {
    begin: (hooks) => void own.send("initialize", { hooks }, settled),
    ended(result) {
      if (isOver) return;
      isOver = true;
      const errors = (asArray(result["errors"]) ?? []).flatMap((error) => asText(error) ?? []);
      host.fail(errors.join("\n") || "Claude Code ended before the session began");
    },
  };
}
