import { asFlag, asObject, asText, joinTextBlocks } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { OpenCall, Sink } from "../contract.js";
import { newCall } from "../shared/call-shapes.js";
import { emitEnded, emitStarted, namesOfSubagents } from "./subagents.js";
import { exitCodeIn, operationsOf } from "./tools.js";

/** `tool_execution_start`: its end does not repeat the arguments. False if it does not name a new call. */
export function startCall(record: JsonObject, out: Sink): boolean {
  const callId = asText(record["toolCallId"]);
  const name = asText(record["toolName"]);
  if (callId === undefined || name === undefined || out.call(callId) !== undefined) return false;
  open(record, { callId, name, input: inputOf(record) }, out);
  return true;
}

/** `tool_execution_update`: the output so far of a call. False if the call is not open. */
export function continueCall(callId: string | undefined, out: Sink): boolean {
  if (callId === undefined || out.call(callId) === undefined) return false;
  out.consume("tool_execution_update: output so far");
  return true;
}

/** A tool can call other tools (1.4.0). Their calls name the one that made them. */
function open(
  record: JsonObject,
  about: { callId: string; name: string; input: JsonValue | undefined },
  out: Sink,
): OpenCall {
  const { callId, name, input } = about;
  const call = newCall({
    callId,
    name,
    input,
    parentCallId: asText(record["parentToolCallId"]),
    native: record,
    operations: operationsOf(name, input, out.cwd),
  });
  const subagents = namesOfSubagents(call);
  call.isSilent = subagents.length > 0;
  out.open(call);
  emitStarted(call, subagents, out);
  return call;
}

/** Somebody has changed the input of a call before it ran: its end reports what was really done. */
export function changeInput(call: OpenCall, input: JsonValue, out: Sink): void {
  call.input = input;
  call.operations = operationsOf(call.name, input, out.cwd);
}

/** `tool_execution_end`. False if it has no start and does not name what was done. */
export function endCall(record: JsonObject, out: Sink): boolean {
  const call = out.call(asText(record["toolCallId"]) ?? "") ?? openLate(record, out);
  if (call === undefined) return false;
  const result = asObject(record["result"]);
  const output = joinTextBlocks(result?.["content"]) ?? record["result"];
  const isSuccess = successOf(record);
  const exitCode = exitCodeIn(
    call.name,
    result?.["structuredContent"],
    isSuccess === false ? output : undefined,
  );
  out.finish(call, { isSuccess, output, exitCode, native: record });
  if (call.name === "subagent" && call.isSilent) emitEnded(call, result, isSuccess === true, out);
  return true;
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
