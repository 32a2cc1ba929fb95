import { asNumber, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink } from "../contract.js";
import { createCalls } from "./calls.js";
import { translateResult } from "./result.js";
import { createSpeech } from "./speech.js";
import { todoTool } from "./tools.js";

type Handle = (record: JsonObject, out: Sink) => void;

/** Cursor `-p --output-format stream-json`, with or without `--stream-partial-output`. */
export function createCursorMapping(): Mapping {
  const speech = createSpeech();
  const calls = createCalls();
  /** The last reported error. It is the cause if the run fails. */
  let lastError: string | undefined;

  const records: Readonly<Record<string, Handle>> = {
    system(record, out) {
      if (record["subtype"] !== "init") return;
      out.session({ model: asText(record["model"]), cwd: asText(record["cwd"]) });
    },
    user: (_record, out) => out.consume("user: an echoed prompt"),
    assistant: speech.assistant,
    thinking(record, out) {
      if (record["subtype"] === "completed") return out.consume("thinking/completed");
      const delta = record["text"];
      if (record["subtype"] !== "delta" || typeof delta !== "string") return;
      if (delta === "") return out.consume("thinking: empty");
      out.emit({ type: "thinking", delta });
    },
    tool_call(record, out) {
      speech.end(out);
      if (!calls(record, out)) out.emit({ type: "unknown", raw: record });
    },
    connection(record, out) {
      if (record["subtype"] === "reconnected") return out.consume("connection/reconnected");
      out.emit({ type: "warning", message: noticeOf("the connection was lost", record) });
    },
    retry: (record, out) =>
      out.emit({ type: "warning", message: noticeOf("the request is tried again", record) }),
    error(record, out) {
      const message =
        asText(record["message"]) ??
        asText(asObject(record["error"])?.["message"]) ??
        asText(record["error"]);
      if (message === undefined) return;
      lastError = message;
      out.emit({ type: "error", message, code: asText(record["code"]) });
    },
    result(record, out) {
      speech.end(out);
      translateResult(record, lastError, out);
    },
  };

  return {
    record(record, out) {
      out.identify(asText(record["session_id"]));
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
    },
    /** Without a result, the last error is the cause. */
    flush(out) {
      speech.end(out);
      if (lastError !== undefined && out.run.terminal === undefined)
        out.run.failure = { message: lastError, isReported: true };
    },
    todoTools: { updateTodos: todoTool },
  };
}

/** `the connection was lost: reconnecting (attempt 1)`. */
function noticeOf(fact: string, record: JsonObject): string {
  const attempt = asNumber(record["attempt"]);
  const subtype = asText(record["subtype"]);
  return `${fact}${subtype === undefined ? "" : `: ${subtype}`}${attempt === undefined ? "" : ` (attempt ${attempt})`}`;
}
