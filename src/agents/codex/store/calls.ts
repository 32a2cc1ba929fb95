import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import type { Sink } from "../../contract.js";
import { readTodos } from "../../shared/todos.js";
import type { ItemRecord, Items } from "../items.js";
import { contentText } from "./prompts.js";
import { toFinishedItem, toStartedItem } from "./spelling.js";

/** The line of a call, or of its result. */
interface CallLine {
  payload: JsonObject;
  record: JsonObject;
  parentCallId: string | undefined;
}

/** The calls of tools in the conversation (`function_call`, `function_call_output`), and the items that they become. */
export interface StoredCalls {
  started(line: CallLine, out: Sink): void;
  /** The model gets the result. If an item has ended the call before, the result only repeats it. */
  returned(line: CallLine, out: Sink): void;
  /** The item of a call. */
  completed(item: ItemRecord, out: Sink): void;
  /** The call has ended before, or its turn has. */
  isOver(callId: string | undefined, out: Sink): boolean;
}

interface Waiting {
  name: string;
  input: JsonValue | undefined;
  /** The item as it was started. Undefined: nothing was emitted for the call yet. */
  item: JsonObject | undefined;
  record: JsonObject;
  line: number;
}

export function createStoredCalls(items: Items): StoredCalls {
  const waiting = new Map<string, Waiting>();
  const over = new Set<string>();

  return {
    isOver(callId, out) {
      if (callId === undefined || over.has(callId)) return callId !== undefined;
      return waiting.get(callId)?.item !== undefined && out.call(callId) === undefined;
    },
    started({ payload, record, parentCallId }, out) {
      const callId = asText(payload["call_id"]) ?? asText(payload["id"]);
      const { name, input } = callIn(payload);
      if (callId === undefined || name === undefined) return;
      const item = toStartedItem(name, input, callId);
      waiting.set(callId, { name, input, item, record, line: out.lineNumber });
      out.consume("a call: its item or its result follows");
      if (item !== undefined) items.started({ item, record, parentCallId }, out);
    },
    completed(from, out) {
      const callId = asText(from.item["id"]);
      if (callId !== undefined) {
        over.add(callId);
        waiting.delete(callId);
      }
      items.completed(from, out);
    },
    returned({ payload, record, parentCallId }, out) {
      const callId = asText(payload["call_id"]) ?? "";
      const call = waiting.get(callId);
      if (call === undefined) return out.consume("a result: its item has ended the call");
      const output = parsedText(payload["output"]);
      if (call.item !== undefined) {
        const item = toFinishedItem(call.item, output);
        if (item === undefined) return out.consume("a result: the command goes on");
        if (out.call(callId) === undefined) return out.consume("a result: its turn has ended the call");
        over.add(callId);
        waiting.delete(callId);
        return items.completed({ item, record, parentCallId }, out);
      }
      over.add(callId);
      waiting.delete(callId);
      if (call.name === "write_stdin") return out.consume("a result: input for a command that goes on");
      finishOther(call, { callId, output, record, parentCallId }, out);
    },
  };
}

/** A call without an item: a plan, or a tool that Codex has no item for. */
function finishOther(
  { name, input, record: native, line }: Waiting,
  {
    callId,
    output,
    record,
    parentCallId,
  }: Pick<CallLine, "record" | "parentCallId"> & { callId: string; output: JsonValue | undefined },
  out: Sink,
): void {
  const text = asText(output) ?? contentText(output);
  const call = { callId, name, input, parentCallId, native, line };
  out.open(call);
  out.finish(call, {
    isSuccess: !/^unsupported call: |^failed to |^err(?:or)?: /i.test(text ?? ""),
    output: output ?? text,
    native: record,
  });
  const list = name === "update_plan" ? readTodos(asObject(input)?.["plan"]) : undefined;
  if (list !== undefined && text === "Plan updated") out.plan(list, { callId, parentCallId });
}

function callIn(payload: JsonObject): { name: string | undefined; input: JsonValue | undefined } {
  if (payload["type"] === "local_shell_call") return { name: "local_shell", input: payload["action"] };
  const name = asText(payload["name"]);
  return { name, input: parsedText(payload["arguments"] ?? payload["input"]) };
}

/** JSON in a text is the value that it stands for. */
function parsedText(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  return parseJson(value) ?? value;
}
