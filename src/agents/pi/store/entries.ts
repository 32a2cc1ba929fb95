import { asArray, asFlag, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";

/** Entries of a session as records of Pi's stream, which say the same in more pieces. */

/** What somebody asked for. Undefined for any other entry. */
export function promptIn(entry: JsonObject): string | undefined {
  const message = entry["type"] === "message" ? asObject(entry["message"]) : undefined;
  return message?.["role"] === "user" ? textOf(message["content"]) : undefined;
}

/** The text of a message. An image is named. Undefined if there is nothing to read. */
function textOf(content: JsonValue | undefined): string | undefined {
  if (typeof content === "string") return asText(content);
  const parts = (asArray(content) ?? []).flatMap((value) => {
    const block = asObject(value);
    if (block?.["type"] === "text") return asText(block["text"]) ?? [];
    return block?.["type"] === "image" ? "[image]" : [];
  });
  return asText(parts.join("\n"));
}

/** The calls of an answer, as they begin. */
export function startsOf(message: JsonObject): JsonObject[] {
  return (asArray(message["content"]) ?? []).flatMap((value) => {
    const block = asObject(value);
    if (block?.["type"] !== "toolCall") return [];
    const { id = null, name = null, arguments: args = null } = block;
    return [{ type: "tool_execution_start", toolCallId: id, toolName: name, args }];
  });
}

/** The end of a call, after the calls that the tool itself has made (1.4.0). */
export function endsOf(message: JsonObject): JsonObject[] {
  const { toolCallId = null, toolName = null, isError = null } = message;
  const { content = null, details = null, structuredContent = null } = message;
  const nested = asArray(asObject(message["nestedCalls"])?.["calls"]) ?? [];
  const end: JsonObject = {
    type: "tool_execution_end",
    toolCallId,
    toolName,
    isError: asFlag(isError) ?? false,
    result: { content, details, structuredContent },
  };
  return [...nested.flatMap((value) => nestedOf(asObject(value), toolCallId)), end];
}

function nestedOf(call: JsonObject | undefined, parentToolCallId: JsonValue): JsonObject[] {
  if (call === undefined) return [];
  const { id = null, name = null, arguments: args = {}, error = null } = call;
  const start = { type: "tool_execution_start", toolCallId: id, toolName: name, args, parentToolCallId };
  if (call["status"] === "unfinished") return [start];
  const result = { content: [{ type: "text", text: asText(error) ?? "" }] };
  const isError = call["status"] === "error";
  return [start, { type: "tool_execution_end", toolCallId: id, toolName: name, isError, result }];
}

/** The entry without its tokens, for those that were counted in another session. */
export function withoutUsage(entry: JsonObject): JsonObject {
  const { usage, ...rest } = entry;
  const message = asObject(rest["message"]);
  if (message === undefined) return rest;
  const { usage: _counted, ...words } = message;
  return { ...rest, message: words };
}
