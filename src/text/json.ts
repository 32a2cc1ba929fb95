/** Any JSON value, as `JSON.parse` returns it. A number that no `number` can hold is an `ExactNumber`. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;

// Interfaces, because the compiler resolves their members lazily: recursive type aliases become too deep for it.

/** A list of JSON values. */
export interface JsonArray extends Array<JsonValue> {}

/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** For the result of a parser: everything except undefined is JSON. */
export function isJson(value: unknown): value is JsonValue {
  return value !== undefined;
}
