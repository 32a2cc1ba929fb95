import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink } from "../../contract.js";
import { recordAtEnd } from "../glued-record.js";
import { createStreamedMessage } from "../streamed-message.js";
import { endCall, startCall } from "./calls.js";
import type { Dialect } from "./dialect.js";
import { translateResult } from "./result.js";

type Handle = (record: JsonObject, out: Sink) => void;

/**
 * The stream that Gemini CLI prints and Bob inherited: `init`, `message`, `tool_use`, `tool_result`,
 * `error`, `result`. Text comes in pieces and is never restated, so a message ends where something else
 * begins.
 */
export function createGeminiStream(dialect: Dialect): Mapping {
  const message = createStreamedMessage();
  /** The last error that was reported: the cause if the run failed. */
  let lastError: string | undefined;

  function endMessage(out: Sink): void {
    dialect.prose?.end(message, out);
    message.complete(out);
  }

  /** Each of these accounts for its record: it emits events or names a rule. */
  const records: Readonly<Record<string, Handle>> = {
    init(record, out) {
      out.identify(asText(record["session_id"]));
      out.session({ model: asText(record["model"]) });
    },
    message(record, out) {
      const content = record["content"];
      if (record["role"] === "user") {
        endMessage(out);
        return out.consume("message: an echoed prompt");
      }
      if (record["role"] !== "assistant" || typeof content !== "string") return keep(record, out);
      if (content === "") return out.consume("message: empty");
      if (dialect.prose === undefined) message.add(content, out);
      else dialect.prose.take(record, content, message, out);
    },
    tool_use(record, out) {
      dialect.prose?.end(message, out);
      if (dialect.startCall?.(record, message, out)) return;
      message.complete(out);
      if (!startCall(record, dialect, out)) keep(record, out);
    },
    tool_result(record, out) {
      endMessage(out);
      if (!endCall(record, dialect, out)) keep(record, out);
    },
    /** Not the end by itself: a result follows, and after a warning it can be a success. */
    error(record, out) {
      const words = asText(record["message"]);
      if (words === undefined) return keep(record, out);
      endMessage(out);
      if (record["severity"] === "warning") return out.emit({ type: "warning", message: words });
      lastError = words;
      out.emit({ type: "error", message: words });
    },
    result(record, out) {
      endMessage(out);
      translateResult(record, dialect, lastError, out);
    },
  };

  return {
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
      else dialect.other?.(record, out);
    },
    /** Notices end without a line feed: `MCP issues detected. Run /mcp list for status.{"type":"init",…}`. */
    text(line, out) {
      const glued = recordAtEnd(line);
      const type = asText(glued?.record["type"]) ?? "";
      if (glued === undefined || !Object.hasOwn(records, type)) return;
      out.emit({ type: "unknown", raw: glued.before });
      records[type]?.(glued.record, out);
      out.consume(`${type}: after a notice on the same line`);
    },
    /** Without a result the last error is the cause. */
    flush(out) {
      endMessage(out);
      if (lastError !== undefined && out.run.terminal === undefined) {
        out.run.failure = { message: lastError, isReported: true };
      }
    },
  };
}

/** The record is not understood, although earlier text may have been emitted for the same line. */
function keep(record: JsonObject, out: Sink): void {
  out.emit({ type: "unknown", raw: record });
}
