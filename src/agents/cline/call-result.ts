import { asArray, asFlag, asObject, asText, numberIn } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Finished } from "../contract.js";

/** The outcome of one entry of a batch, as `output` lists it. */
export interface ItemOutcome {
  /** What Cline ran or looked for, in its own words. Cline cuts long ones. */
  query: string | undefined;
  isSuccess: boolean | undefined;
  exitCode: number | undefined;
}

/**
 * How a call ended, from its `content_end`. `error` is set if the call was rejected, denied or crashed. Other failures,
 * such as a missing file or a command that exits 3, are only in `output`.
 */
export function finishedOf(event: JsonObject, native: JsonObject): Finished {
  return { isSuccess: successOf(event), output: event["output"] ?? event["error"] ?? undefined, native };
}

/** The outcomes of a batch, in the order of its entries. Empty if the output is not a list of outcomes. */
export function itemsOf(output: JsonValue | undefined): ItemOutcome[] {
  const items = (listOf(output) ?? []).map(asObject);
  if (items.some((item) => item === undefined)) return [];
  return items.map((item) => ({
    query: asText(item?.["query"]),
    isSuccess: asFlag(item?.["success"]),
    exitCode: exitCodeIn(item?.["error"]),
  }));
}

/** Why a call was rejected, denied or crashed. Undefined if it ran. */
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

/** All items must have succeeded. Items of other lists (team runs) have no `success`, so the call succeeded. */
function successOfList(list: readonly JsonValue[]): boolean | undefined {
  const flags = list.map((item) => asFlag(asObject(item)?.["success"])).filter((flag) => flag !== undefined);
  if (flags.length === 0) return list.length === 0 ? undefined : true;
  return flags.every(Boolean);
}

/** Built-in tools send `success`, MCP tools `isError`, `spawn_agent` the `finishReason` of the subagent. */
function successOfObject(output: JsonObject): boolean {
  const finishReason = asText(output["finishReason"]);
  if (finishReason !== undefined) return finishReason === "completed";
  return asFlag(output["success"]) ?? (asFlag(output["isError"]) !== true && !isSet(output["error"]));
}

/** `skills` returns a sentence instead of a skill if it cannot use the name. */
const skillRefusal =
  /^(?:Skill ".*" (?:not found|is ambiguous|is configured but disabled)|No skills are currently available)/;

function listOf(output: JsonValue | undefined): JsonValue[] | undefined {
  return asArray(output) ?? asArray(asObject(output)?.["results"]);
}

/** No field holds the exit code. The error of a failed command is `Command exited with code 4`. */
function exitCodeIn(error: JsonValue | undefined): number | undefined {
  return numberIn(asText(error) ?? "", /^Command exited with code (\d{1,10})$/);
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}
