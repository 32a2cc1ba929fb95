import * as v from "valibot";
import { type ErrorCode, HarnessError } from "../errors.js";
import { cutEndOf } from "./cut.js";
import { didYouMean, suggestFrom } from "./suggest.js";

type OptionsSchema =
  | v.StrictObjectSchema<v.ObjectEntries, undefined>
  | v.ObjectSchema<v.ObjectEntries, undefined>;

/**
 * Checks options at run time, for programs without types and for mistakes that types do not catch. A wrong option throws
 * `invalid_option` (or `code`) and names the key. Returns a copy: every value is read once, so that a getter cannot return
 * one value to the check and another to its user. A key that is undefined counts as left out.
 */
export function checkOptions<const Schema extends OptionsSchema>(
  schema: Schema,
  given: unknown,
  name: string,
  code: ErrorCode = "invalid_option",
): v.InferOutput<Schema> {
  const refuse = (problem: string, cause?: unknown) => new HarnessError(code, `${name}${problem}`, { cause });
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw refuse(` must be an object, not ${describeValue(given)}`);
  const parsed = v.safeParse(schema, readOnce(given, Object.keys(schema.entries), refuse));
  if (parsed.success) return parsed.output;
  const unknown = parsed.issues.find((issue) => issue.type === "strict_object" && issue.expected === "never");
  throw refuse(describeIssue(unknown ?? parsed.issues[0], schema.entries));
}

/** Checks an option that must be a string. */
export function checkText(given: unknown, name: string): string {
  if (typeof given === "string") return given;
  throw new HarnessError("invalid_option", `${name} must be a string, not ${describeValue(given)}`);
}

/** Reads the enumerable keys, own and inherited, and the known ones: a class may have them as getters. */
function readOnce(
  given: object,
  known: readonly string[],
  refuse: (problem: string, cause: unknown) => HarnessError,
): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null);
  const keys = new Set(known.filter((key) => key in given));
  for (const key in given) keys.add(key);
  for (const key of keys) {
    const value = read(given, key, refuse);
    if (value !== undefined) copy[key] = value;
  }
  return copy;
}

function read(
  given: object,
  key: string,
  refuse: (problem: string, cause: unknown) => HarnessError,
): unknown {
  try {
    return Reflect.get(given, key);
  } catch (error) {
    throw refuse(`.${key} cannot be read: ${String(error)}`, error);
  }
}

function describeIssue(issue: v.BaseIssue<unknown>, entries: v.ObjectEntries): string {
  const path = (issue.path ?? []).map(({ key }) => key);
  const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  const key = String(path.at(-1));
  const isOwn = path.length === 1;
  if (issue.type === "strict_object" && issue.expected === "never") {
    const known = isOwn ? suggestFrom(key, Object.keys(entries), "known keys") : "";
    return `${place} is not known${known}`;
  }
  // An object names the key that it expects, which is no rule for the value.
  if (issue.expected === `"${key}"` && /object$/.test(issue.type)) return `${place} is missing`;
  if (issue.received === "undefined" && issue.kind === "schema")
    return `${place} is missing${issue.expected === null ? "" : `; it ${ruleOf(issue, typeNames)}`}`;
  const [rule, ...advice] = ruleOf(issue, typeNames).split("; ");
  // The values of environment variables and headers may be secrets.
  const value = path.includes("env") || path.includes("headers") ? "" : `, not ${describeValue(issue.input)}`;
  return `${place} ${[`${rule}${value}`, ...advice].join("; ")}${meantBy(issue)}`;
}

/** The rule that a value breaks: the schema's own sentence, or `must be "a" or "b"`. */
export function ruleOf(
  { message, expected }: v.BaseIssue<unknown>,
  names: Readonly<Record<string, string>>,
): string {
  if (message.startsWith("must ")) return message;
  if (expected === null) return "must be something else";
  return `must be ${names[expected] ?? expected.replace(/^\((.*)\)$/, "$1").replaceAll(" | ", " or ")}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  Array: "an array",
  Object: "an object",
  Date: "a valid Date",
  Function: "a function",
  function: "a function",
};

const shownCharacters = 60;

/** A value for an error message: short, and never the contents of an object. */
function describeValue(value: unknown): string {
  if (typeof value === "string") return cutEndOf(JSON.stringify(value), shownCharacters);
  if (value === null || ["undefined", "number", "boolean"].includes(typeof value)) return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Suggests the allowed word that was probably meant. */
function meantBy(issue: v.BaseIssue<unknown>): string {
  if (issue.type !== "picklist" || typeof issue.input !== "string") return "";
  return didYouMean(
    issue.input,
    [...(issue.expected ?? "").matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word),
  );
}
