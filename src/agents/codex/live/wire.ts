import { asObject, asText, isObject } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";

/** The id of a request. Each side counts its own. */
export type WireId = string | number;

/** One line of `codex app-server`, in either direction: JSON-RPC without its `jsonrpc` member. */
export type WireMessage =
  | { kind: "request"; id: WireId; method: string; params: JsonObject }
  | { kind: "notification"; method: string; params: JsonObject }
  | { kind: "reply"; id: WireId; result: JsonValue | undefined; error: WireError | undefined };

export interface WireError {
  message: string;
}

/** Undefined if the record is not such a message. */
export function toWireMessage(value: unknown): WireMessage | undefined {
  if (!isObject(value)) return undefined;
  const id = toWireId(value["id"]);
  const method = asText(value["method"]);
  const params = asObject(value["params"]) ?? {};
  if (method !== undefined) {
    return id === undefined
      ? { kind: "notification", method, params }
      : { kind: "request", id, method, params };
  }
  if (id === undefined) return undefined;
  const error = asObject(value["error"]);
  if (error === undefined && value["result"] === undefined) return undefined;
  return {
    kind: "reply",
    id,
    result: value["result"],
    error: error && { message: asText(error["message"]) ?? "Codex gave no reason" },
  };
}

function toWireId(value: JsonValue | undefined): WireId | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** Text as `turn/start` and `turn/steer` take it. */
export function toUserInput(text: string): JsonValue {
  return [{ type: "text", text, text_elements: [] }];
}

/** The text of such input. Images and mentions have none. */
export function textOfUserInput(input: JsonValue | undefined): string {
  if (!Array.isArray(input)) return "";
  return input.flatMap((part) => asText(asObject(part)?.["text"]) ?? []).join("\n");
}
