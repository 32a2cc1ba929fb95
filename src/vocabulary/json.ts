/** Any JSON value, as `JSON.parse` returns it. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;

// Interfaces, whose members a compiler looks at when it has to: types that hold themselves are too deep for it elsewhere.

export interface JsonArray extends Array<JsonValue> {}

export interface JsonObject {
  [key: string]: JsonValue;
}
