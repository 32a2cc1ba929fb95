import { asFlag, asObject, asText, joinTextBlocks } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { OpenCall, Sink } from "../contract.js";
import { emitEnded, emitStarted, namesOfSubagents } from "./subagents.js";
import { exitCodeIn, operationsOf } from "./tools.js";

/** `tool_execution_start`: the only record of a call that has its arguments. */
export function startCall(record: JsonObject, out: Sink): void {
  const callId = asText(record["toolCallId"]);
  const name = asText(record["toolName"]);
  if (callId === undefined || name === undefined || out.call(callId) !== undefined) return;
  open(record, { callId, name, input: inputOf(record) }, out);
}

function open(
  record: JsonObject,
  about: { callId: string; name: string; input: JsonValue | undefined },
  out: Sink,
): OpenCall {
  const call: OpenCall = {
    ...about,
    native: record,
    operations: operationsOf(about.name, about.input, out.cwd),
  };
  const subagents = namesOfSubagents(call);
  call.isSilent = subagents.length > 0;
  out.open(call);
  emitStarted(call, subagents, out);
  return call;
}

/** `tool_execution_end`. An end without a start is reported only if it names what was done. */
export function endCall(record: JsonObject, out: Sink): void {
  const call = out.call(asText(record["toolCallId"]) ?? "") ?? openLate(record, out);
  if (call === undefined) return;
  const result = asObject(record["result"]);
  const output = joinTextBlocks(result?.["content"]) ?? record["result"];
  const isSuccess = successOf(record);
  const exitCode = isSuccess === false ? exitCodeIn(call.name, output) : undefined;
  out.finish(call, { isSuccess, output, exitCode, native: record });
  if (call.name === "subagent" && call.isSilent) emitEnded(call, result, isSuccess === true, out);
}

function openLate(record: JsonObject, out: Sink): OpenCall | undefined {
  const name = asText(record["toolName"]);
  const input = inputOf(record);
  if (name === undefined || input === undefined) return undefined;
  return open(record, { callId: asText(record["toolCallId"]) ?? `line-${out.lineNumber}`, name, input }, out);
}

function inputOf(record: JsonObject): JsonValue | undefined {
  return record["args"] ?? record["input"] ?? record["arguments"];
}

function successOf(record: JsonObject): boolean | undefined {
  const isError = asFlag(record["isError"]);
  if (isError !== undefined) return !isError;
  if (record["error"] !== undefined && record["error"] !== null) return false;
  const status = asText(record["status"]);
  return status === undefined ? undefined : /^(?:completed|success|ok|done)$/.test(status);
}
