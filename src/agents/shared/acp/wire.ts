import { asObject, asText, isObject } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";

/*
 * JSON-RPC 2.0 as ACP uses it: one object per line, and both sides send requests. The ids of the two sides are
 * independent of each other.
 */

/** The id of a request. Agents count from 0, Goose uses UUIDs. */
export type WireId = string | number;

export type Message =
  | { type: "request"; id: WireId; method: string; params: JsonObject }
  | { type: "notification"; method: string; params: JsonObject }
  | { type: "result"; id: WireId; result: JsonObject }
  | { type: "error"; id: WireId; error: JsonObject };

/** What a record says. Undefined if it is not a message of the protocol. */
export function readMessage(record: JsonObject): Message | undefined {
  const id = asId(record["id"]);
  const method = asText(record["method"]);
  if (method !== undefined) {
    const params = asObject(record["params"]) ?? {};
    return id === undefined
      ? { type: "notification", method, params }
      : { type: "request", id, method, params };
  }
  if (id === undefined) return undefined;
  const error = asObject(record["error"]);
  if (error !== undefined) return { type: "error", id, error };
  // Some agents answer with null where the schema has an empty object.
  return "result" in record ? { type: "result", id, result: asObject(record["result"]) ?? {} } : undefined;
}

/** The same for a line. */
export function readLine(line: string): Message | undefined {
  const value = parseJson(line);
  return isObject(value) ? readMessage(value) : undefined;
}

function asId(value: JsonValue | undefined): WireId | undefined {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value))
    ? value
    : undefined;
}

/** A key for an id. The number 1 and the string "1" are different ids. */
export function keyOf(id: WireId): string {
  return JSON.stringify(id);
}

/** The texts of content blocks, joined. */
export function textOf(blocks: readonly JsonValue[] | undefined): string {
  const texts = (blocks ?? []).map((block) => asObject(block)?.["text"]);
  return texts.filter((text) => typeof text === "string").join("\n");
}

/** `_meta.<name>` of an update, a call or an answer: what an agent adds to the protocol. */
export function metaOf(value: JsonObject | undefined, name: string): JsonObject | undefined {
  return asObject(asObject(value?.["_meta"])?.[name]);
}
