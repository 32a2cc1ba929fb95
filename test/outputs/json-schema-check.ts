import { isDeepStrictEqual } from "node:util";

type Schema = Record<string, unknown>;

/**
 * The few keywords of JSON Schema that the streams need, checked independently of valibot. A keyword it
 * does not know is an error, so that no part of a schema goes unchecked.
 */
export function isValid(schema: unknown, value: unknown): boolean {
  if (!isObject(schema)) throw new Error(`not a schema: ${JSON.stringify(schema)}`);
  return Object.entries(schema).every(([keyword, operand]) => {
    const check = keywords[keyword];
    if (check === undefined) throw new Error(`unknown keyword ${keyword}`);
    return check(operand, value, schema);
  });
}

const keywords: Record<string, (operand: unknown, value: unknown, schema: Schema) => boolean> = {
  $schema: () => true,
  title: () => true,
  const: (operand, value) => isDeepStrictEqual(operand, value),
  enum: (operand, value) => asList(operand).some((option) => isDeepStrictEqual(option, value)),
  anyOf: (operand, value) => asList(operand).some((option) => isValid(option, value)),
  oneOf: (operand, value) => asList(operand).filter((option) => isValid(option, value)).length === 1,
  type: (operand, value) => types[String(operand)]?.(value) ?? false,
  minimum: (operand, value) => typeof value !== "number" || value >= Number(operand),
  format: (operand, value) => {
    if (operand !== "date-time") throw new Error(`unknown format ${operand}`);
    return (
      typeof value !== "string" ||
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d|[+-]\d\d)$/.test(value)
    );
  },
  properties: (operand, value) =>
    !isObject(value) ||
    !isObject(operand) ||
    Object.entries(operand).every(([key, schema]) => !(key in value) || isValid(schema, value[key])),
  required: (operand, value) => !isObject(value) || asList(operand).every((key) => String(key) in value),
  additionalProperties: (operand, value, schema) => {
    if (operand !== false) throw new Error("additionalProperties is something else than false");
    const known = isObject(schema["properties"]) ? schema["properties"] : {};
    return !isObject(value) || Object.keys(value).every((key) => key in known);
  },
  items: (operand, value) => !Array.isArray(value) || value.every((item) => isValid(operand, item)),
};

const types: Record<string, (value: unknown) => boolean> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error("not a list");
  return value;
}
