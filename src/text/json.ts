/** Any JSON value, as `JSON.parse` returns it; but a number that no `number` can hold is an `ExactNumber`. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;

// Interfaces, whose members a compiler looks at when it has to: types that hold themselves are too deep for it elsewhere.

export interface JsonArray extends Array<JsonValue> {}

export interface JsonObject {
  [key: string]: JsonValue;
}

/** For what a parser returns: it is JSON unless it is nothing. */
export function isJson(value: unknown): value is JsonValue {
  return value !== undefined;
}
