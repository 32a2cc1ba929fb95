import { asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Finished, OpenCall, Sink } from "../../contract.js";
import { newCall } from "../call-shapes.js";
import { toOperations, toolRuleOf } from "../tool-table.js";
import type { Dialect } from "./dialect.js";

/** `tool_use`: comes before the tool runs. False if it does not name a call. */
export function startCall(
  record: JsonObject,
  dialect: Dialect,
  out: Sink,
  parentCallId?: string | undefined,
): boolean {
  const callId = asText(record["tool_id"]);
  const name = asText(record["tool_name"]);
  if (callId === undefined || name === undefined) return false;
  const input = record["parameters"];
  const call = newCall({ callId, name, input, native: record, parentCallId });
  if (Object.hasOwn(dialect.subagentTools, name)) {
    call.isSilent = true;
    out.open(call);
    out.emit({
      type: "orchestration",
      action: "subagent_started",
      subagentName: subagentName(call, dialect),
      callId,
      parentCallId,
    });
    return true;
  }
  const rule = toolRuleOf(dialect.tools, name);
  if (rule !== undefined) call.operations = toOperations(rule, input, out.cwd);
  out.open(call);
  return true;
}

/** `tool_result`: the results of one turn come together, when the slowest call is done. False if its call is not known. */
export function endCall(record: JsonObject, dialect: Dialect, out: Sink): boolean {
  const how = finishedOf(record);
  const call = out.call(asText(record["tool_id"]) ?? "");
  if (call === undefined) return dialect.loneResult?.(record, how, out) ?? false;
  if (dialect.endCall === undefined) out.finish(call, how);
  else dialect.endCall(call, how, out);
  if (!Object.hasOwn(dialect.subagentTools, call.name)) return true;
  const isSuccess = how.isSuccess !== false;
  const action = isSuccess ? "subagent_completed" : "subagent_failed";
  out.emit({
    type: "orchestration",
    action,
    subagentName: subagentName(call, dialect),
    isSuccess,
    callId: call.callId,
    parentCallId: call.parentCallId,
  });
  return true;
}

/** If a call failed, `error` says more than `output`, which is the text for the screen. */
function finishedOf(record: JsonObject): Finished {
  const isFailed = record["status"] === "error";
  const isSuccess = isFailed ? false : record["status"] === "success" ? true : undefined;
  const output = (isFailed ? errorOf(record) : undefined) ?? record["output"] ?? errorOf(record);
  return { isSuccess, output, native: record };
}

/** The message of an `error` field, which is a text or an object. An object without a message is returned as it is. */
export function errorOf(record: JsonObject): JsonValue | undefined {
  const error = record["error"] ?? undefined;
  return asText(asObject(error)?.["message"]) ?? error;
}

function subagentName(call: OpenCall, dialect: Dialect): string | undefined {
  return firstText(asObject(call.input) ?? {}, dialect.subagentTools[call.name] ?? []);
}
