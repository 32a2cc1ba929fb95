import { runInNewContext } from "node:vm";
import { dereference, type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { OutputCheck, TranslatorOptions } from "../../agents/contract.js";
import { HarnessError, messageOf, systemCode } from "../../errors.js";
import { cutEndOf } from "../../text/cut.js";
import type { JsonObject, JsonValue } from "../../text/json.js";

/** Refuses what is not a JSON Schema, such as one with a reference that leads nowhere. After the run it would be too late. */
export function refuseBadSchema(schema: JsonObject): void {
  try {
    createValidator(schema).validate(null);
    refuseBadParts(schema);
  } catch (error) {
    const problem =
      error instanceof RangeError
        ? "it refers to itself without an end, or is nested too deeply"
        : messageOf(error);
    const message = `schema is not a valid JSON Schema: ${problem}`;
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
    if (isDeeperThan(found.output, deepest)) return { problem: tooDeep };
    try {
      validator ??= createValidator(schema);
      const { valid, errors } = validateInTime(validator, found.output);
      return valid ? found : { problem: describe(errors) };
    } catch (error) {
      return { problem: problemOfCheck(error) };
    }
  };
}

const longestCheckMs = 5_000;

/**
 * An answer can make a pattern or `uniqueItems` of the schema take hours, and nothing else would run meanwhile: no other run, no time limit,
 * no Ctrl-C. Only the limit of a context can interrupt that.
 */
function validateInTime(validator: Validator, value: JsonValue): ReturnType<Validator["validate"]> {
  const validate = () => validator.validate(value);
  return runInNewContext("validate()", { validate }, { timeout: longestCheckMs });
}

function problemOfCheck(error: unknown): string {
  if (systemCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT")
    return `checking it takes more than ${longestCheckMs / 1000} s; make its patterns and lists simpler`;
  return error instanceof RangeError ? tooDeep : messageOf(error);
}

/** Nobody could print or record a value that is nested much deeper. */
const deepest = 500;
const tooDeep = "it is nested too deeply";

function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
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
const shownCharacters = 300;

/** The errors that lie deepest say most: the others only repeat that something inside is wrong. */
function describe(errors: readonly OutputUnit[]): string {
  const depth = errors.reduce((most, { instanceLocation }) => Math.max(most, depthOf(instanceLocation)), 0);
  const deepest = errors.filter(({ instanceLocation }) => depthOf(instanceLocation) === depth);
  return deepest
    .slice(-shownErrors)
    .map(({ instanceLocation: place, error }) =>
      [place, error].map((text) => cutEndOf(text, shownCharacters)),
    )
    .map((texts) => texts.join(": "))
    .join(" ");
}

function depthOf(location: string): number {
  return location.split("/").length;
}
