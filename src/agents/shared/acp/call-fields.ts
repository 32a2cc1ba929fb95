import { asArray, asInteger, asObject, asText, numberIn } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { AcpFacts, CallFields } from "./dialect.js";
import { metaOf } from "./wire.js";

/** Adds what a record of a call says. A field that it leaves out, or that is null, stays as it was. */
export function mergeFields(known: CallFields | undefined, record: JsonObject, callId: string): CallFields {
  const title = asText(record["title"]) ?? known?.title;
  return {
    callId,
    title,
    firstTitle: known?.firstTitle ?? title,
    kind: asText(record["kind"]) ?? known?.kind,
    toolName: toolNameIn(record) ?? known?.toolName,
    input: inputIn(record["rawInput"]) ?? known?.input,
    output: record["rawOutput"] ?? known?.output,
    content: nonEmpty(record["content"]) ?? known?.content ?? [],
    locations: nonEmpty(record["locations"]) ?? known?.locations ?? [],
    printed: (known?.printed ?? "") + (asText(metaOf(record, "terminal_output_delta")?.["data"]) ?? ""),
    exitCode: exitCodeIn(record) ?? known?.exitCode,
    status: statusAfter(known?.status, asText(record["status"])),
  };
}

/** Cline repeats `pending` after `in_progress`: a status never goes back. */
function statusAfter(known: string | undefined, next: string | undefined): string | undefined {
  return next === undefined || (next === "pending" && known !== undefined) ? known : next;
}

/** Agents announce a call before its input is there: then it is empty. */
function inputIn(value: JsonValue | undefined): JsonValue | undefined {
  if (value === null || value === "") return undefined;
  const fields = asObject(value);
  return fields !== undefined && Object.keys(fields).length === 0 ? undefined : value;
}

function nonEmpty(value: JsonValue | undefined): JsonValue[] | undefined {
  const list = asArray(value);
  return list?.length ? list : undefined;
}

/** The places where agents put the name of a tool. The protocol has none before its second version. */
function toolNameIn(record: JsonObject): string | undefined {
  return (
    asText(record["name"]) ??
    asText(asObject(record["_meta"])?.["toolName"]) ??
    asText(metaOf(record, "claudeCode")?.["toolName"]) ??
    asText(asObject(metaOf(record, "goose")?.["toolCall"])?.["toolName"])
  );
}

/** The places where agents put the exit code of a command. */
function exitCodeIn(record: JsonObject): number | undefined {
  const output = asObject(record["rawOutput"]);
  const contents = (asArray(output?.["contents"]) ?? []).map((part) => asObject(part)?.["exitCode"]);
  const places = [
    output?.["exit_code"],
    output?.["exitCode"],
    asObject(output?.["metadata"])?.["exit"],
    contents.find((code) => code !== undefined),
    metaOf(record, "terminal_exit")?.["exit_code"],
  ];
  return places.map(asInteger).find((code) => code !== undefined) ?? exitCodeInWords(record);
}

/** Where only a sentence of the agent has it: Claude's `Exit code 3`, Cline's `Command exited with code 3`. */
function exitCodeInWords(record: JsonObject): number | undefined {
  const output = record["rawOutput"];
  if (typeof output === "string") {
    return record["status"] === "failed" ? numberIn(output, /^Exit code (\d{1,3})(?:\n|$)/) : undefined;
  }
  const failed = (asArray(output) ?? []).map(asObject).find((part) => part?.["success"] === false);
  return numberIn(asText(failed?.["error"]) ?? "", /^Command exited with code (\d{1,3})$/);
}

/** What a call returned. `last` is its last record: only its content is a result, since earlier ones may describe the call. */
export function callOutput(fields: CallFields, last: JsonObject, facts: AcpFacts): JsonValue | undefined {
  const texts = (asArray(last["content"]) ?? fields.content).flatMap((part) => {
    const text = asObject(asObject(part)?.["content"])?.["text"];
    return typeof text === "string" ? [text] : [];
  });
  const text = texts.length > 0 ? texts.join("\n") : undefined;
  const { output } = fields;
  if (facts.output === "raw" && output !== undefined) return output;
  if (text !== undefined) return text;
  if (fields.printed !== "") return fields.printed;
  const inside =
    asObject(output)?.["output"] ?? asObject(output)?.["content"] ?? asObject(output)?.["message"];
  return typeof inside === "string" ? inside : (output ?? undefined);
}

/** True if the result of a call, which ACP calls completed, says that a part of it failed (Cline). */
export function hasFailedPart({ output }: CallFields): boolean {
  const parts = asArray(output) ?? [output];
  return parts.some((part) => asObject(part)?.["success"] === false);
}

/** True once a call can be reported: its input has come, or nothing more will. Only a directory is not yet an input (OpenCode). */
export function isReady({ status, input, content, locations }: CallFields): boolean {
  if (status !== undefined && status !== "pending") return true;
  const keys = Object.keys(asObject(input) ?? {});
  if (keys.length > 0) return keys.some((key) => key !== "cwd");
  return input !== undefined || content.length > 0 || locations.length > 0;
}
