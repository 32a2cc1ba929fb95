import { asCount, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Mapping, OpenCall, Sink, TranslatorOptions } from "../contract.js";
import { countTokensOfWholeInput } from "../shared/tokens.js";
import { finishedOf, itemRules } from "./items.js";
import { createSubagents } from "./subagents.js";

type Handle = (record: JsonObject, out: Sink) => void;

/** Codex `exec --json` (recorded with 0.166.0). */
export function createCodexMapping(options: TranslatorOptions): Mapping {
  const subagents = createSubagents();
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
      out.run.usage = usageOf(record["usage"], options.isResumed ?? false, out.lineNumber);
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
      fail(message, out);
    },
    "item.started": startItem,
    "item.updated": updateItem,
    "item.completed": completeItem,
    error(record, out) {
      const message = asText(record["message"]);
      if (message === undefined) return;
      if (isRetryNotice(message)) return out.emit({ type: "warning", message });
      heldError = { message, line: out.lineNumber };
      out.consume("error: held as the likely cause until the turn fails");
    },
  };

  function fail(message: string, out: Sink): void {
    heldError = undefined;
    out.run.failure = { ...causeOf(message), isReported: true };
    out.emit({ type: "error", message: out.run.failure.message, code: out.run.failure.code });
  }

  function startItem(record: JsonObject, out: Sink): void {
    const item = asObject(record["item"]);
    if (item !== undefined) openCall(item, record, out);
  }

  /** If it never completes, its latest state is what is known of it. */
  function updateItem(record: JsonObject, out: Sink): void {
    const call = out.call(asText(asObject(record["item"])?.["id"]) ?? "");
    if (call !== undefined) call.native = record;
    out.consume("item.updated: restated when the item completes");
  }

  function openCall(item: JsonObject, record: JsonObject, out: Sink): OpenCall | undefined {
    const callId = asText(item["id"]);
    const type = asText(item["type"]) ?? "";
    const rule = Object.hasOwn(itemRules, type) ? itemRules[type] : undefined;
    if (callId === undefined || rule === undefined) return undefined;
    const call: OpenCall = { callId, name: rule.name(item), input: rule.input(item), native: record };
    if (type === "collab_tool_call") call.isSilent = true;
    if (rule.operations !== undefined) call.operations = rule.operations(item, out);
    out.open(call);
    return call;
  }

  function completeItem(record: JsonObject, out: Sink): void {
    const item = asObject(record["item"]);
    const type = asText(item?.["type"]) ?? "";
    if (item === undefined) return;
    if (Object.hasOwn(plainItems, type)) return plainItems[type]?.(item, record, out);
    const rule = Object.hasOwn(itemRules, type) ? itemRules[type] : undefined;
    if (rule === undefined) return;
    const call = out.call(asText(item["id"]) ?? "") ?? openCall(item, record, out);
    if (call === undefined) return;
    if (rule.operations !== undefined && !isSameCommand(call, item))
      call.operations = rule.operations(item, out);
    out.finish(call, finishedOf(rule, call, item, record));
    if (type === "collab_tool_call") subagents(item, call.callId, out);
  }

  return {
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
    },
    /** The process died before the turn could fail: what was held is the cause. */
    flush(out) {
      if (heldError === undefined) return;
      const { message, line } = heldError;
      out.run.failure = { ...causeOf(message), isReported: true };
      out.emit({ type: "error", message: out.run.failure.message, code: out.run.failure.code, line });
    },
  };
}

/** A command is read once: when its item completes it says the same as when it started. */
function isSameCommand(call: OpenCall, item: JsonObject): boolean {
  const command = asText(item["command"]);
  return command !== undefined && command === asObject(call.input)?.["command"];
}

/** Items that are not tool calls: they exist only as completed. */
const plainItems: Readonly<Record<string, (item: JsonObject, record: JsonObject, out: Sink) => void>> = {
  agent_message(item, _record, out) {
    const message = asText(item["text"]);
    if (message === undefined) return out.consume("agent_message: empty");
    out.run.text = message;
    out.emit({ type: "agent", message, messageId: asText(item["id"]) });
  },
  /** Also `unknown`: reasoning has no type among the normalized harness events. */
  reasoning(item, record, out) {
    const message = asText(item["text"]);
    if (message !== undefined) out.emit({ type: "thinking", message });
    out.emit({ type: "unknown", raw: record });
  },
  /** Codex uses this one channel for errors and for advice, without a severity. It never ends a run. */
  error(item, _record, out) {
    out.emit({ type: "error", message: asText(item["message"]) ?? "Codex reported an error" });
  },
};

/** `Reconnecting... 1/5 (…)`; older versions: `…; retrying 1/5 in 208ms…`. */
function isRetryNotice(message: string): boolean {
  return message.startsWith("Reconnecting...") || /\bretrying \d+\/\d+ in \d/.test(message);
}

/** The cause of a failure. A body that Codex passes on as JSON text (status 400) is read for its own words. */
function causeOf(message: string): { message: string; code?: string | undefined } {
  const error = message.startsWith("{") ? asObject(asObject(parseJson(message))?.["error"]) : undefined;
  const words = asText(error?.["message"]);
  return words === undefined
    ? { message }
    : { message: words, code: asText(error?.["code"]) ?? asText(error?.["type"]) };
}

/** Totals over the whole thread: on a resumed thread they cover earlier runs too. */
function usageOf(value: JsonValue | undefined, isResumed: boolean, line: number) {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  const counts = countTokensOfWholeInput({
    input: asCount(usage["input_tokens"]),
    cacheRead: asCount(usage["cached_input_tokens"]),
    cacheWrite: asCount(usage["cache_write_input_tokens"]),
    output: asCount(usage["output_tokens"]),
    reasoning: asCount(usage["reasoning_output_tokens"]),
  });
  return { ...counts, scope: isResumed ? ("session" as const) : ("run" as const), line };
}
