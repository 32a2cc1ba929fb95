import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Mapping, Sink, TranslatorOptions } from "../contract.js";
import { createItems } from "./items.js";
import { usageOfThread } from "./usage.js";

type Handle = (record: JsonObject, out: Sink) => void;

/** Codex `exec --json` (recorded with 0.166.0). */
export function createCodexMapping(options: TranslatorOptions): Mapping {
  const items = createItems();
  /** The likely cause, if the turn fails. */
  let heldError: { message: string; line: number } | undefined;

  const records: Readonly<Record<string, Handle>> = {
    "thread.started"(record, out) {
      out.identify(asText(record["thread_id"]));
      out.session({});
    },
    "turn.started"(_record, out) {
      out.run.terminal = out.run.terminalLine = out.run.failure = undefined;
      out.consume("turn.started");
    },
    "turn.completed"(record, out) {
      out.run.terminal = "success";
      out.run.terminalLine = out.lineNumber;
      out.run.failure = undefined;
      heldError = undefined;
      const usage = usageOfThread(record["usage"], options.isResumed ?? false);
      out.run.usage = usage && { ...usage, line: out.lineNumber };
      out.consume("turn.completed: the run's usage");
    },
    "turn.failed"(record, out) {
      const message =
        asText(asObject(record["error"])?.["message"]) ??
        asText(record["error"]) ??
        heldError?.message ??
        "the turn failed";
      out.run.terminal = "failure";
      out.run.terminalLine = out.lineNumber;
      heldError = undefined;
      fail(message, undefined, out);
    },
    "item.started": items.started,
    "item.updated": items.updated,
    "item.completed": items.completed,
    error(record, out) {
      const message = asText(record["message"]);
      if (message === undefined) return;
      if (isRetryNotice(message)) return out.emit({ type: "warning", message });
      heldError = { message, line: out.lineNumber };
      out.consume("error: held as the likely cause until the turn fails");
    },
  };

  return {
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
    },
    /** If the process died before the turn could fail, the held error is the cause. */
    flush(out) {
      if (heldError !== undefined) fail(heldError.message, heldError.line, out);
    },
  };
}

/** `Reconnecting... 1/5 (…)`; older versions: `…; retrying 1/5 in 208ms…`. */
function isRetryNotice(message: string): boolean {
  return message.startsWith("Reconnecting...") || /\bretrying \d+\/\d+ in \d/.test(message);
}

/** `line` is the line of the error. Left out: the line at hand. */
function fail(message: string, line: number | undefined, out: Sink): void {
  const cause = causeOf(message);
  out.run.failure = { ...cause, isReported: true };
  out.emit({ type: "error", message: cause.message, code: cause.code, line });
}

/** The cause of a failure. If Codex passes on a response body as JSON text (status 400), its own message is used. */
function causeOf(message: string): { message: string; code?: string | undefined } {
  const error = message.startsWith("{") ? asObject(asObject(parseJson(message))?.["error"]) : undefined;
  const words = asText(error?.["message"]);
  return words === undefined
    ? { message }
    : { message: words, code: asText(error?.["code"]) ?? asText(error?.["type"]) };
}
