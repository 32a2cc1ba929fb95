import { asArray, asFlag, asInteger, asObject, asText, firstText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Finished } from "../contract.js";

/**
 * The variants of a failed result: `error`, `rejected`, `timeout`, `fileNotFound`, `writePermissionDenied` … `failure` is a
 * shell command with an exit code other than 0.
 */
const failures = /(?:failure|error|rejected|denied|timeout|notFound|invalidFile)$/i;

/**
 * How a call ended. A result is one of several variants (`{success: {…}}`, `{failure: {…}}`, …), the bare word
 * `"rejected"`, or, in older versions, a shell's flat `{stdout, stderr, exitCode}`. A `success` can still hold a
 * failure: an MCP tool's `isError`, or a shell's exit code.
 */
export function finishedOf(result: JsonValue | undefined): Omit<Finished, "native"> {
  if (typeof result === "string") return { isSuccess: result === "success", output: result };
  const variants = asObject(result);
  if (variants === undefined) return {};
  const failed = Object.keys(variants).find((key) => failures.test(key) && isVariant(variants[key]));
  const body = variants[failed ?? "success"];
  const fields = asObject(body) ?? (failed === undefined ? variants : {});
  const exitCode = asInteger(fields["exitCode"]);
  const output = outputOf(fields, failed !== undefined) ?? body ?? variants;
  return {
    isSuccess: failed === undefined ? succeeded(variants, fields, exitCode) : false,
    output,
    exitCode,
  };
}

/** A variant holds fields or a text. A flag such as `isError` is not a variant. */
function isVariant(value: JsonValue | undefined): boolean {
  return asObject(value) !== undefined || typeof value === "string";
}

/** Undefined for a shell that goes on in the background and for an unknown variant. */
function succeeded(
  variants: JsonObject,
  fields: JsonObject,
  exitCode: number | undefined,
): boolean | undefined {
  if (asFlag(fields["isError"]) === true) return false;
  if (exitCode !== undefined) return exitCode === 0;
  if (fields["shellId"] !== undefined || asFlag(fields["isBackground"]) === true) return undefined;
  return Object.hasOwn(variants, "success") ? true : undefined;
}

/** The text of a result. Undefined if the result is structured. */
function outputOf(fields: JsonObject, isFailed: boolean): JsonValue | undefined {
  const printed = asText(fields["interleavedOutput"]) ?? joined([fields["stdout"], fields["stderr"]]);
  if (printed !== undefined) return printed;
  if (isFailed) return firstText(fields, ["errorMessage", "message", "error", "reason"]);
  if (typeof fields["content"] === "string") return fields["content"];
  return textOfBlocks(fields["content"]) ?? textOfSteps(fields["conversationSteps"]);
}

function joined(parts: readonly (JsonValue | undefined)[]): string | undefined {
  const texts = parts.filter((part) => typeof part === "string");
  return texts.length === 0 ? undefined : texts.join("");
}

/** MCP content: `[{text: {text}}]`. */
function textOfBlocks(content: JsonValue | undefined): string | undefined {
  const texts = (asArray(content) ?? []).map((block) =>
    asText(asObject(asObject(block)?.["text"])?.["text"]),
  );
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join("\n") : undefined;
}

/** The answer of a subagent: `[{assistantMessage: {text}}]`. */
function textOfSteps(steps: JsonValue | undefined): string | undefined {
  const texts = (asArray(steps) ?? []).flatMap(
    (step) => asText(asObject(asObject(step)?.["assistantMessage"])?.["text"]) ?? [],
  );
  return texts.length === 0 ? undefined : texts.join("\n");
}
