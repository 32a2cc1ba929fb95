import { asFlag, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import type { LiveTask, Peer, PeerHost } from "../../live-contract.js";
import { endsTurn } from "../../shared/answers.js";
import { createDialogAnswers } from "./answers.js";
import { createCommands, errorOf } from "./commands.js";
import { chooseModel } from "./models.js";
import { extensionStatus } from "./permission-extension.js";
import { createRunWatch } from "./run-watch.js";

/** The records that the peer acts on. Others are not parsed: in 0.74 each update repeats the message so far. */
const relevant =
  /"type":"(?:response|extension_ui_request|agent_start|agent_end|agent_settled|auto_retry_end|compaction_end)"/;

/** The client of `pi --mode rpc`. */
export function createPiPeer(host: PeerHost, task: LiveTask): Peer {
  const commands = createCommands(host);
  const dialogs = createDialogAnswers(host);
  const run = createRunWatch(commands);
  let asksForPermission = false;

  /** Pi waits for open dialogs even after an abort, if the extension does not watch for it. */
  function abort(): void {
    run.abort();
    dialogs.dismissAll();
  }

  function ready(state: JsonObject): void {
    if (asFlag(state["success"]) !== true) return host.fail(errorOf(state));
    if (task.permissions === "ask" && !asksForPermission)
      return host.fail("Pi did not load the extension that asks for permission");
    host.ready();
  }

  const handlers: Readonly<Record<string, (record: JsonObject) => void>> = {
    ...run.handlers,
    response: commands.answered,
    extension_ui_request(record) {
      if (record["statusKey"] === extensionStatus) asksForPermission = true;
      dialogs.opened(record);
    },
  };

  return {
    open: () => commands.send("get_state", {}, ready),
    received(line) {
      if (!relevant.test(line.slice(0, 200))) return;
      const record = asObject(parseJson(line));
      if (record === undefined) return;
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(handlers, type)) handlers[type]?.(record);
    },
    prompt(text, turnId) {
      run.prompted();
      commands.send("prompt", { message: text }, run.promptAnswered, { turnId });
    },
    async steer(text) {
      run.steered();
      await commands.ask("steer", { message: text });
    },
    interrupt: abort,
    answer({ requestId }, given, note) {
      const isSent = dialogs.answer(requestId, given, note);
      if (isSent && endsTurn(given)) abort();
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
