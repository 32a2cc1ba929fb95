import { asObject, asText, isObject } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";

/*
 * JSON-RPC 2.0 as agents use it: one object per line, and both sides send requests. The ids of the two sides are
 * independent of each other. Codex leaves out the `jsonrpc` member.
 */

/** The id of a request. Most agents count, Goose uses UUIDs. The number 1 and the string "1" are different ids. */
export type RpcId = string | number;

export type RpcMessage =
  | { type: "request"; id: RpcId; method: string; params: JsonObject }
  | { type: "notification"; method: string; params: JsonObject }
  | { type: "result"; id: RpcId; result: JsonObject }
  | { type: "error"; id: RpcId; error: JsonObject };

export type RpcRequest = RpcMessage & { type: "request" };

/** The answer to a request. */
export type RpcReply = RpcMessage & { type: "result" | "error" };

/** What a record says. Undefined if it is not a message of the protocol. */
export function readRpcMessage(value: unknown): RpcMessage | undefined {
  if (!isObject(value)) return undefined;
  const id = asRpcId(value["id"]);
  const method = asText(value["method"]);
  if (method !== undefined) {
    const params = asObject(value["params"]) ?? {};
    return id === undefined
      ? { type: "notification", method, params }
      : { type: "request", id, method, params };
  }
  if (id === undefined) return undefined;
  const error = asObject(value["error"]);
  if (error !== undefined) return { type: "error", id, error };
  // Some agents answer with null where the schema has an empty object.
  return "result" in value ? { type: "result", id, result: asObject(value["result"]) ?? {} } : undefined;
}

function asRpcId(value: JsonValue | undefined): RpcId | undefined {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value))
    ? value
    : undefined;
}
