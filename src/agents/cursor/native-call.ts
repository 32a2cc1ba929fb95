import { asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";

/** A call as one `tool_call` record describes it. */
export interface NativeCall {
  callId: string | undefined;
  name: string;
  /** Its key without `ToolCall`. This is the name in the table of tools. */
  tool: string;
  args: JsonValue | undefined;
  result: JsonValue | undefined;
  /** The call that started the subagent that made this one. */
  parentCallId?: string | undefined;
}

const suffix = /(?:ToolCall|_tool_call)$/;

/**
 * The call of a record. The tool is the key that ends in `ToolCall`, or else the one with arguments or a result. Other keys are
 * metadata (`hookAdditionalContexts`, `startedAtMs`, …). The documentation also has the key `function`. Undefined if
 * there is no such key.
 */
export function readCall(record: JsonObject): NativeCall | undefined {
  const container = asObject(record["tool_call"]);
  if (container === undefined) return undefined;
  const callId = asText(record["call_id"]) ?? asText(container["toolCallId"]);
  const keys = Object.keys(container).filter((key) => key !== "function");
  const key = keys.find((name) => suffix.test(name)) ?? keys.find((name) => isCall(container[name]));
  if (key === undefined) return readFunction(container, callId);
  const tool = key.replace(suffix, "");
  const body = asObject(container[key]) ?? {};
  const { args, result } = body;
  const parentCallId = asText(container["parentToolCallId"]);
  return { callId, tool, name: tool === "mcp" ? nameOfMcp(args) : tool, args, result, parentCallId };
}

function isCall(value: JsonValue | undefined): boolean {
  const body = asObject(value);
  return (
    body !== undefined && (asObject(body["args"]) !== undefined || asObject(body["result"]) !== undefined)
  );
}

function readFunction(container: JsonObject, callId: string | undefined): NativeCall | undefined {
  const body = asObject(container["function"]) ?? container;
  const name = asText(body["name"]);
  if (name === undefined) return undefined;
  const args = body["arguments"] ?? body["args"];
  return {
    callId,
    name,
    tool: name.replace(suffix, ""),
    args: typeof args === "string" ? (parseJson(args) ?? args) : args,
    result: body["result"] ?? container["result"],
  };
}

/** `server-tool`, as Cursor names it. */
function nameOfMcp(args: JsonValue | undefined): string {
  const fields = asObject(args) ?? {};
  const server = asText(fields["providerIdentifier"]) ?? asText(fields["serverIdentifier"]);
  const tool = asText(fields["toolName"]);
  return asText(fields["name"]) ?? ([server, tool].filter((part) => part !== undefined).join("-") || "mcp");
}
