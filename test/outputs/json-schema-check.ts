import { isDeepStrictEqual } from "node:util";

type Schema = Record<string, unknown>;

/**
 * The few keywords of JSON Schema that the streams need, checked independently of valibot. A keyword it
 * does not know is an error, so that no part of a schema goes unchecked.
 */
export function isValid(schema: unknown, value: unknown, root: unknown = schema): boolean {
  if (!isObject(schema)) throw new Error(`not a schema: ${JSON.stringify(schema)}`);
  return Object.entries(schema).every(([keyword, operand]) => {
    const check = keywords[keyword];
    if (check === undefined) throw new Error(`unknown keyword ${keyword}`);
    return check(operand, value, schema, root);
  });
}

type Check = (operand: unknown, value: unknown, schema: Schema, root: unknown) => boolean;

const keywords: Record<string, Check> = {
  $schema: () => true,
  title: () => true,
  $defs: () => true,
  $ref: (operand, value, _schema, root) => isValid(definitionOf(String(operand), root), value, root),
  const: (operand, value) => isDeepStrictEqual(operand, value),
  enum: (operand, value) => asList(operand).some((option) => isDeepStrictEqual(option, value)),
  anyOf: (operand, value, _schema, root) => asList(operand).some((option) => isValid(option, value, root)),
  oneOf: (operand, value, _schema, root) =>
    asList(operand).filter((option) => isValid(option, value, root)).length === 1,
  type: (operand, value) => types[String(operand)]?.(value) ?? false,
  pattern: (operand, value) => typeof value !== "string" || new RegExp(String(operand)).test(value),
  minLength: (operand, value) => typeof value !== "string" || value.length >= Number(operand),
  minimum: (operand, value) => typeof value !== "number" || value >= Number(operand),
  format: (operand, value) => {
    if (operand !== "date-time") throw new Error(`unknown format ${operand}`);
    return (
      typeof value !== "string" ||
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d|[+-]\d\d)$/.test(value)
    );
  },
  properties: (operand, value, _schema, root) =>
    !isObject(value) ||
    !isObject(operand) ||
    Object.entries(operand).every(([key, schema]) => !(key in value) || isValid(schema, value[key], root)),
  required: (operand, value) => !isObject(value) || asList(operand).every((key) => String(key) in value),
  additionalProperties: (operand, value, schema) => {
    if (operand !== false) throw new Error("additionalProperties is something else than false");
    const known = isObject(schema["properties"]) ? schema["properties"] : {};
    return !isObject(value) || Object.keys(value).every((key) => key in known);
  },
  items: (operand, value, _schema, root) =>
    !Array.isArray(value) || value.every((item) => isValid(operand, item, root)),
  minItems: (operand, value) => !Array.isArray(value) || value.length >= Number(operand),
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

/** Only references into `$defs` are needed. */
function definitionOf(reference: string, root: unknown): unknown {
  const definitions = isObject(root) && isObject(root["$defs"]) ? root["$defs"] : {};
  return definitions[reference.replace("#/$defs/", "")];
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error("not a list");
  return value;
}
