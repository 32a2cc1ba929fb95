import { asArray, asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Finished } from "../contract.js";

/** How one entry of a batch did, as `output` lists it. */
export interface ItemOutcome {
  /** What Cline ran or looked for, in its own words (long ones are cut). */
  query: string | undefined;
  isSuccess: boolean | undefined;
  exitCode: number | undefined;
}

/**
 * How a call ended, by its `content_end`. Success is nested: a missing file or a command that exits 3 is
 * only seen in `output`; `error` stands for a call that was rejected, denied or broke.
 */
export function finishedOf(event: JsonObject, native: JsonObject): Finished {
  return { isSuccess: successOf(event), output: event["output"] ?? event["error"] ?? undefined, native };
}

/** The outcomes of a batch, in the order of its entries; empty if the output is not a list of them. */
export function itemsOf(output: JsonValue | undefined): ItemOutcome[] {
  const items = (listOf(output) ?? []).map(asObject);
  if (items.some((item) => item === undefined)) return [];
  return items.map((item) => ({
    query: asText(item?.["query"]),
    isSuccess: asFlag(item?.["success"]),
    exitCode: exitCodeIn(item?.["error"]),
  }));
}

/** Why a call was rejected, denied or broke; undefined when it ran. */
export function rejectionOf(event: JsonObject): string | undefined {
  if (!isSet(event["error"])) return undefined;
  return asText(asObject(event["output"])?.["error"]) ?? asText(event["error"]) ?? "no reason given";
}

function successOf(event: JsonObject): boolean | undefined {
  if (isSet(event["error"])) return false;
  const output = event["output"];
  if (!isSet(output)) return undefined;
  if (typeof output === "string") return !skillRefusal.test(output);
  const list = listOf(output);
  return list === undefined ? successOfObject(asObject(output) ?? {}) : successOfList(list);
}

/** Every item must have succeeded; lists of other things (team runs) just came back. */
function successOfList(list: readonly JsonValue[]): boolean | undefined {
  const flags = list.map((item) => asFlag(asObject(item)?.["success"])).filter((flag) => flag !== undefined);
  if (flags.length === 0) return list.length === 0 ? undefined : true;
  return flags.every(Boolean);
}

/** Built-in tools say `success`, MCP tools `isError`, `spawn_agent` how the agent finished. */
function successOfObject(output: JsonObject): boolean {
  const finishReason = asText(output["finishReason"]);
  if (finishReason !== undefined) return finishReason === "completed";
  return asFlag(output["success"]) ?? (asFlag(output["isError"]) !== true && !isSet(output["error"]));
}

/** `skills` answers a name that it cannot use with a sentence, as if that were a skill. */
const skillRefusal =
  /^(?:Skill ".*" (?:not found|is ambiguous|is configured but disabled)|No skills are currently available)/;

function listOf(output: JsonValue | undefined): JsonValue[] | undefined {
  return asArray(output) ?? asArray(asObject(output)?.["results"]);
}

/** There is no exit code field: the error of a failed command is `Command exited with code 4`. */
function exitCodeIn(error: JsonValue | undefined): number | undefined {
  const match = /^Command exited with code (\d{1,10})$/.exec(asText(error) ?? "");
  return match === null ? undefined : Number(match[1]);
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}
