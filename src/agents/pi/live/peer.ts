import { asFlag, asObject, asText, isObject } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import type { LiveTask, Peer, PeerHost, SentNote } from "../../live-contract.js";
import { responses } from "./answers.js";
import { createCommands, errorOf } from "./commands.js";
import { chooseModel } from "./models.js";
import { extensionStatus } from "./permission-extension.js";
import { announcements, type DialogKind, dialogKindOf } from "./requests.js";

/** The records that the peer acts on. Others are not parsed: in 0.74 each update repeats the message so far. */
const relevant =
  /"type":"(?:response|extension_ui_request|agent_start|agent_end|agent_settled|auto_retry_end|compaction_end)"/;

/** The client of `pi --mode rpc`. */
export function createPiPeer(host: PeerHost, task: LiveTask): Peer {
  const commands = createCommands(host);
  const dialogs = new Map<string, DialogKind>();
  let isReady = false;
  let asksForPermission = false;
  let isRunning = false;
  let isAborted = false;
  let isSteered = false;
  let isStateAsked = false;

  /** In 0.74 nothing but the next answer says that a turn is over, and that an extension has dealt with a prompt. */
  function askForState(): void {
    if (isStateAsked) return;
    isStateAsked = true;
    commands.send("get_state", {}, () => {
      isStateAsked = false;
    });
  }

  function answer(id: string, fields: JsonObject, note?: SentNote): void {
    dialogs.delete(id);
    host.send(JSON.stringify({ type: "extension_ui_response", id, ...fields }), note);
  }

  /** Pi waits for dialogs even after an abort, if the extension does not watch for it. */
  function abort(): void {
    if (isSteered) commands.send("clear_queue");
    isSteered = false;
    commands.send("abort");
    for (const id of [...dialogs.keys()]) answer(id, { cancelled: true });
  }

  function ready(state: JsonObject): void {
    if (isReady) return;
    if (asFlag(state["success"]) !== true) return host.fail(errorOf(state));
    if (task.permissions === "ask" && !asksForPermission)
      return host.fail("Pi did not load the extension that asks for permission");
    isReady = true;
    host.ready();
  }

  const handlers: Readonly<Record<string, (record: JsonObject) => void>> = {
    response: commands.answered,
    extension_ui_request(record) {
      if (record["statusKey"] === extensionStatus) asksForPermission = true;
      const id = asText(record["id"]);
      const kind = dialogKindOf(record);
      if (id === undefined) return;
      if (kind !== undefined) dialogs.set(id, kind);
      else if (!announcements.has(asText(record["method"]) ?? "")) answer(id, { cancelled: true });
    },
    agent_start() {
      isRunning = true;
      // An abort before the start had nothing to end.
      if (isAborted) commands.send("abort");
      isAborted = false;
    },
    agent_end(record) {
      if (record["willRetry"] === undefined) askForState();
    },
    agent_settled() {
      isRunning = false;
    },
    auto_retry_end(record) {
      if (asFlag(record["success"]) === false) askForState();
    },
    compaction_end: askForState,
  };

  return {
    open: () => commands.send("get_state", {}, ready),
    received(line) {
      if (!relevant.test(line.slice(0, 200))) return;
      const record = parseJson(line);
      if (!isObject(record)) return;
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(handlers, type)) handlers[type]?.(record);
    },
    prompt(text, turnId) {
      isRunning = false;
      isAborted = false;
      isSteered = false;
      commands.send(
        "prompt",
        { message: text },
        (response) => {
          const disposition = asObject(response["data"])?.["disposition"];
          if (asFlag(response["success"]) === true && disposition === undefined && !isRunning) askForState();
        },
        { turnId },
      );
    },
    async steer(text) {
      isSteered = true;
      await commands.ask("steer", { message: text });
    },
    interrupt() {
      isAborted = !isRunning;
      abort();
    },
    answer(request, given, note) {
      const kind = dialogs.get(request.requestId);
      if (kind === undefined) return;
      answer(request.requestId, responses[kind](given), note);
      if ("allow" in given && !given.allow && given.interrupt) abort();
    },
    async setModel(name) {
      const response = await commands.ask("get_available_models", {});
      const chosen = chooseModel(name, asObject(response["data"])?.["models"]);
      if (chosen === undefined) throw new Error(`Pi has no model ${name}`);
      await commands.ask("set_model", { provider: chosen.provider, modelId: chosen.id });
      if (chosen.thinking !== undefined) await commands.ask("set_thinking_level", { level: chosen.thinking });
    },
    /** 0.74 leaves the children of a running command behind if standard input ends first. */
    close() {
      abort();
      commands.close();
    },
  };
}
