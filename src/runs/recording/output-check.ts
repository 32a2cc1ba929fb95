import { dereference, type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { OutputCheck, TranslatorOptions } from "../../agents/contract.js";
import { HarnessError, messageOf } from "../../errors.js";
import type { JsonObject, JsonValue } from "../../text/json.js";

/** Refuses what is not a JSON Schema, such as one with a reference that leads nowhere. After the run it would be too late. */
export function refuseBadSchema(schema: JsonObject): void {
  try {
    createValidator(schema).validate(null);
    refuseBadParts(schema);
  } catch (error) {
    const message = `schema is not a valid JSON Schema: ${messageOf(error)}`;
    throw new HarnessError("invalid_option", message, { cause: error });
  }
}

/**
 * Checks answers against a JSON Schema. The value is the one that the agent reports, else the answer read as JSON. A block
 * of code around it is taken off, because models often add one.
 */
export function createOutputCheck(schema: JsonObject): NonNullable<TranslatorOptions["checkOutput"]> {
  let validator: Validator | undefined;
  return ({ text, value }) => {
    const found = value === undefined ? parseAnswer(text) : { output: value };
    if ("problem" in found) return found;
    try {
      validator ??= createValidator(schema);
      const { valid, errors } = validator.validate(found.output);
      return valid ? found : { problem: describe(errors) };
    } catch (error) {
      return { problem: messageOf(error) };
    }
  };
}

/** The validator finds these only when an answer leads there. */
function refuseBadParts(schema: JsonObject): void {
  const known = dereference(structuredClone(schema) as Schema);
  for (const part of Object.values(known)) {
    if (typeof part === "boolean") continue;
    const { $ref, __absolute_ref__: target = $ref, pattern, patternProperties = {}, type = [] } = part;
    if (target !== undefined && known[target] === undefined) throw new Error(`$ref leads nowhere: ${$ref}`);
    for (const expression of [pattern ?? "", ...Object.keys(patternProperties)]) new RegExp(expression, "u");
    const unknown = [type].flat().find((one) => !types.has(one));
    if (unknown !== undefined) throw new Error(`there is no type ${JSON.stringify(unknown)}`);
  }
}

const types: ReadonlySet<string> = new Set([
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "string",
  "integer",
]);

function createValidator(schema: JsonObject): Validator {
  // Without a copy, the validator would write its own keys into the caller's object.
  const copy = structuredClone(schema) as Schema;
  return new Validator(copy, draftOf(schema), false);
}

function draftOf({ $schema }: JsonObject): "4" | "7" | "2019-09" | "2020-12" {
  const address = typeof $schema === "string" ? $schema : "";
  if (address.includes("draft-04")) return "4";
  if (address.includes("draft-07") || address.includes("draft-06")) return "7";
  return address.includes("2019-09") ? "2019-09" : "2020-12";
}

const fenced = /^\s*```[\w-]*\r?\n([\s\S]*?)\r?\n```\s*$/;

function parseAnswer(text: string | undefined): OutputCheck {
  if (text === undefined || text.trim() === "") return { problem: "there is no answer" };
  const [, inner = text] = fenced.exec(text) ?? [];
  try {
    return { output: JSON.parse(inner) as JsonValue };
  } catch {
    return { problem: "it is not JSON" };
  }
}

const shownErrors = 3;

/** The errors that lie deepest say most: the others only repeat that something inside is wrong. */
function describe(errors: readonly OutputUnit[]): string {
  const depth = Math.max(0, ...errors.map(({ instanceLocation }) => depthOf(instanceLocation)));
  const deepest = errors.filter(({ instanceLocation }) => depthOf(instanceLocation) === depth);
  return deepest
    .slice(-shownErrors)
    .map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
    .join(" ");
}

function depthOf(location: string): number {
  return location.split("/").length;
}
