import { asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";

/** What one `tool_call` record says of a call. */
export interface NativeCall {
  callId: string | undefined;
  name: string;
  /** The name of its key without `ToolCall`: what the tool tables know. */
  tool: string;
  args: JsonValue | undefined;
  result: JsonValue | undefined;
}

const suffix = /(?:ToolCall|_tool_call)$/;

/**
 * The call of a record. The tool is the key that ends in `ToolCall`; keys beside it are metadata
 * (`hookAdditionalContexts`, `startedAtMs`, …). The documentation also has `function`. Undefined when
 * there is neither.
 */
export function readCall(record: JsonObject): NativeCall | undefined {
  const container = asObject(record["tool_call"]);
  if (container === undefined) return undefined;
  const callId = asText(record["call_id"]) ?? asText(container["toolCallId"]);
  const key = Object.keys(container).find((candidate) => suffix.test(candidate));
  if (key === undefined) return readFunction(container, callId);
  const tool = key.replace(suffix, "");
  const body = asObject(container[key]) ?? {};
  const { args, result } = body;
  return { callId, tool, name: tool === "mcp" ? nameOfMcp(args) : tool, args, result };
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
