import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { OpenCall, Sink } from "../contract.js";
import { newCall } from "../shared/call-shapes.js";
import { readTodos } from "../shared/todos.js";
import { createSubagents } from "./subagents.js";
import { codexTools, collaborationRule, finishedOf, type ItemRule } from "./tools.js";

/** One item in the spelling of `exec --json`, the record it came in, and whose it is. */
export interface ItemRecord {
  item: JsonObject;
  record: JsonObject;
  /** On an item of a subagent: the call that started the subagent. */
  parentCallId?: string | undefined;
}

/** Items: tool calls, messages, reasoning and errors. */
export interface Items {
  started(from: ItemRecord, out: Sink): void;
  updated(from: ItemRecord, out: Sink): void;
  completed(from: ItemRecord, out: Sink): void;
  /** `item.created` of versions without `item.started`. It is the only record of an item, unless the item is in progress. */
  created(from: ItemRecord, out: Sink): void;
  /** The work of a subagent is over, by its own record. */
  subagentOver(subagentId: string, isSuccess: boolean, callId: string, out: Sink): void;
}

export function createItems(): Items {
  const subagents = createSubagents();
  const collaboration = collaborationRule(subagents);

  function ruleOf(type: string): ItemRule | undefined {
    if (type === "collab_tool_call") return collaboration;
    return Object.hasOwn(codexTools, type) ? codexTools[type] : undefined;
  }

  function openCall(callId: string, from: ItemRecord, out: Sink): OpenCall | undefined {
    const { item, record, parentCallId } = from;
    const rule = ruleOf(typeOf(item));
    if (rule === undefined) return undefined;
    const call = newCall({
      callId,
      name: rule.name(item),
      input: rule.input(item),
      parentCallId,
      native: record,
      isSilent: rule.isSilent ?? false,
      operations: rule.operations?.(item, out),
    });
    out.open(call);
    return call;
  }

  const items: Items = {
    started(from, out) {
      const callId = asText(from.item["id"]);
      if (callId === undefined) return;
      openCall(callId, from, out);
      reportList(from, callId, out);
    },
    /** If the item never completes, its latest state is what is known about it. */
    updated(from, out) {
      const { item, record } = from;
      const call = out.call(asText(item["id"]) ?? "");
      if (call !== undefined) call.native = record;
      reportList(from, call?.callId, out);
      out.consume("item.updated: restated when the item completes");
    },
    completed(from, out) {
      const { item, record } = from;
      const type = typeOf(item);
      if (Object.hasOwn(plainItems, type)) return plainItems[type]?.(from, out);
      const rule = ruleOf(type);
      if (rule === undefined) return;
      const callId = asText(item["id"]) ?? `line-${out.lineNumber}`;
      const call = out.call(callId) ?? openCall(callId, from, out);
      if (call === undefined) return;
      if (rule.operations !== undefined && !isSameCommand(call, item))
        call.operations = rule.operations(item, out);
      out.finish(call, finishedOf(rule, call, item, record));
      if (type === "collab_tool_call") subagents.report(item, call.callId, out);
      reportList(from, callId, out);
    },
    created(from, out) {
      return from.item["status"] === "in_progress" ? items.started(from, out) : items.completed(from, out);
    },
    subagentOver: subagents.over,
  };
  return items;
}

/** Names that items have in older versions. */
const olderTypes: ReadonlyMap<string, string> = new Map([
  ["assistant_message", "agent_message"],
  ["message", "agent_message"],
]);

/** The type of an item. Older versions call the field `item_type`. */
function typeOf(item: JsonObject): string {
  const type = asText(item["type"]) ?? asText(item["item_type"]) ?? "";
  return olderTypes.get(type) ?? type;
}

/** `todo_list` is the whole list in each of its records. A step that is in progress looks like one that has not begun. */
function reportList({ item }: ItemRecord, callId: string | undefined, out: Sink): void {
  const list = typeOf(item) === "todo_list" ? readTodos(item["items"]) : undefined;
  if (list !== undefined) out.plan(list, { callId });
}

/** The content of a message in older versions: a text, or blocks of text. */
function textOfContent(content: JsonValue | undefined): string | undefined {
  const blocks = asArray(content)?.map((block) => asText(asObject(block)?.["text"]) ?? "");
  return asText(blocks?.join("") ?? content);
}

/** A completed item usually repeats the command it started with. That command is parsed only once. */
function isSameCommand(call: OpenCall, item: JsonObject): boolean {
  const command = asText(item["command"]);
  return command !== undefined && command === asObject(call.input)?.["command"];
}

/** Items that are not tool calls. They have only an `item.completed` record. */
const plainItems: Readonly<Record<string, (from: ItemRecord, out: Sink) => void>> = {
  agent_message({ item, parentCallId }, out) {
    const message = asText(item["text"]) ?? textOfContent(item["content"]);
    if (message === undefined) return out.consume("agent_message: empty");
    const messageId = asText(item["id"]);
    const role = item["role"];
    if (role === "user" || role === "system")
      return out.emit({ type: "agent", message, messageId, role, parentCallId });
    if (parentCallId === undefined) out.run.text = message;
    out.emit({ type: "agent", message, messageId, parentCallId });
  },
  /** Also `unknown`, since the normalized harness events have no type for reasoning. */
  reasoning({ item, record, parentCallId }, out) {
    const message = asText(item["text"]);
    if (message !== undefined) out.emit({ type: "thinking", message, parentCallId });
    out.emit({ type: "unknown", raw: record, parentCallId });
  },
  /** Codex sends errors and advice through this one item type, without a severity. It never ends a run. */
  error({ item, parentCallId }, out) {
    out.emit({
      type: "error",
      message: asText(item["message"]) ?? "Codex reported an error",
      parentCallId,
    });
  },
};
