import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { OpenCall, Sink } from "../contract.js";
import { createSubagents } from "./subagents.js";
import { codexTools, finishedOf } from "./tools.js";

/** `item.…` records: tool calls, messages, reasoning and errors. */
export interface Items {
  started(record: JsonObject, out: Sink): void;
  updated(record: JsonObject, out: Sink): void;
  completed(record: JsonObject, out: Sink): void;
}

export function createItems(): Items {
  const subagents = createSubagents();

  return {
    started(record, out) {
      const item = asObject(record["item"]);
      if (item !== undefined) openCall(item, record, out);
    },
    /** If the item never completes, its latest state is what is known about it. */
    updated(record, out) {
      const call = out.call(asText(asObject(record["item"])?.["id"]) ?? "");
      if (call !== undefined) call.native = record;
      out.consume("item.updated: restated when the item completes");
    },
    completed(record, out) {
      const item = asObject(record["item"]);
      const type = asText(item?.["type"]) ?? "";
      if (item === undefined) return;
      if (Object.hasOwn(plainItems, type)) return plainItems[type]?.(item, record, out);
      const rule = Object.hasOwn(codexTools, type) ? codexTools[type] : undefined;
      if (rule === undefined) return;
      const call = out.call(asText(item["id"]) ?? "") ?? openCall(item, record, out);
      if (call === undefined) return;
      if (rule.operations !== undefined && !isSameCommand(call, item))
        call.operations = rule.operations(item, out);
      out.finish(call, finishedOf(rule, call, item, record));
      if (type === "collab_tool_call") subagents(item, call.callId, out);
    },
  };
}

function openCall(item: JsonObject, record: JsonObject, out: Sink): OpenCall | undefined {
  const callId = asText(item["id"]);
  const type = asText(item["type"]) ?? "";
  const rule = Object.hasOwn(codexTools, type) ? codexTools[type] : undefined;
  if (callId === undefined || rule === undefined) return undefined;
  const call: OpenCall = { callId, name: rule.name(item), input: rule.input(item), native: record };
  if (type === "collab_tool_call") call.isSilent = true;
  if (rule.operations !== undefined) call.operations = rule.operations(item, out);
  out.open(call);
  return call;
}

/** A completed item usually repeats the command it started with. That command is parsed only once. */
function isSameCommand(call: OpenCall, item: JsonObject): boolean {
  const command = asText(item["command"]);
  return command !== undefined && command === asObject(call.input)?.["command"];
}

/** Items that are not tool calls. They have only an `item.completed` record. */
const plainItems: Readonly<Record<string, (item: JsonObject, record: JsonObject, out: Sink) => void>> = {
  agent_message(item, _record, out) {
    const message = asText(item["text"]);
    if (message === undefined) return out.consume("agent_message: empty");
    out.run.text = message;
    out.emit({ type: "agent", message, messageId: asText(item["id"]) });
  },
  /** Also `unknown`, since the normalized harness events have no type for reasoning. */
  reasoning(item, record, out) {
    const message = asText(item["text"]);
    if (message !== undefined) out.emit({ type: "thinking", message });
    out.emit({ type: "unknown", raw: record });
  },
  /** Codex sends errors and advice through this one item type, without a severity. It never ends a run. */
  error(item, _record, out) {
    out.emit({ type: "error", message: asText(item["message"]) ?? "Codex reported an error" });
  },
};
