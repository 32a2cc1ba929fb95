import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { changeInput } from "../calls.js";
import { announcements, openDialog, outcomeOf } from "./requests.js";

/** The dialogs of extensions in the stream: which are open, and which call waits for them. */
export interface Dialogs {
  /** `tool_execution_start`. */
  callStarted(record: JsonObject): void;
  /** `tool_execution_end`: the call no longer waits for an answer. Pi does not report dialogs that have timed out. */
  callEnded(record: JsonObject, out: Sink): void;
  /** `extension_ui_request`. */
  request(record: JsonObject, out: Sink): void;
  /** `extension_ui_response`, which harness sent. */
  answered(record: JsonObject, isInterrupted: boolean, out: Sink): void;
  turnEnded(): void;
}

export function createDialogs(): Dialogs {
  /** The names of the calls that run, by id. */
  const running = new Map<string, string>();
  /** The calls of open requests, by the id of the request. */
  const waiting = new Map<string, string>();

  return {
    callStarted(record) {
      const callId = asText(record["toolCallId"]);
      const name = asText(record["toolName"]);
      if (callId !== undefined && name !== undefined) running.set(callId, name);
    },
    callEnded(record, out) {
      const callId = asText(record["toolCallId"]) ?? "";
      running.delete(callId);
      for (const [requestId, waiter] of [...waiting]) {
        if (waiter !== callId) continue;
        waiting.delete(requestId);
        out.live.endRequest(requestId, "withdrawn");
      }
    },
    request(record, out) {
      const request = openDialog(record, running, out);
      if (request?.callId !== undefined) waiting.set(request.requestId, request.callId);
      if (request !== undefined) return out.consume("extension_ui_request: already open");
      announce(record, out);
    },
    answered(record, isInterrupted, out) {
      const requestId = asText(record["id"]) ?? "";
      const request = out.live.openRequest(requestId);
      if (request === undefined) return;
      waiting.delete(requestId);
      const { outcome, message, input } = outcomeOf(record, request, isInterrupted);
      const call = input && out.call(request.callId ?? "");
      if (input !== undefined && call !== undefined) changeInput(call, input, out);
      out.live.endRequest(requestId, outcome, { message });
    },
    turnEnded() {
      running.clear();
      waiting.clear();
    },
  };
}

/** What an extension says to the user is reported. The rest is for a screen that is not there. */
function announce(record: JsonObject, out: Sink): void {
  const method = asText(record["method"]) ?? "";
  const message = asText(record["message"]);
  if (method === "notify" && message !== undefined) {
    const isTrouble = record["notifyType"] === "warning" || record["notifyType"] === "error";
    if (isTrouble) out.emit({ type: "warning", message, code: "extension_notice" });
    else out.emit({ type: "agent", message, role: "system" });
  }
  if (announcements.has(method)) out.consume(`extension_ui_request/${method}: for a screen`);
}
