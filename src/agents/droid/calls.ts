import { asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { OpenCall, Sink } from "../contract.js";
import { finishedOf, operationsOf, subagentTool, withSkillFile } from "./tools.js";

/** `tool_call`: printed before the call runs. Calls that run at once are all printed first. */
export function startCall(record: JsonObject, out: Sink): void {
  const callId = asText(record["id"]);
  const name = asText(record["toolName"]) ?? asText(record["toolId"]);
  if (callId === undefined || name === undefined || out.call(callId) !== undefined) return;
  const input = record["parameters"];
  const isSilent = name === subagentTool;
  out.open({ callId, name, input, native: record, isSilent, operations: operationsOf(name, input, out.cwd) });
  if (isSilent)
    out.emit({
      type: "orchestration",
      action: "subagent_started",
      subagentName: nameOfSubagent(input),
      callId,
    });
}

/** `tool_result`. It has the id of its call, but neither its name nor its input. */
export function endCall(record: JsonObject, out: Sink): void {
  const call: OpenCall | undefined = out.call(asText(record["id"]) ?? "");
  if (call === undefined) return;
  const how = finishedOf(call, record);
  call.operations = withSkillFile(call.operations ?? [], how.output);
  out.finish(call, { ...how, native: record });
  if (call.isSilent === true) endSubagent(call, how.isSuccess, out);
}

/** A subagent that nobody waits for (`await: false`) has only been started when its call ends. */
function endSubagent(call: OpenCall, isSuccess: boolean | undefined, out: Sink): void {
  const isAwaited = asFlag(asObject(call.input)?.["await"]) !== false;
  if (isSuccess === undefined || (isSuccess && !isAwaited)) return;
  out.emit({
    type: "orchestration",
    action: isSuccess ? "subagent_completed" : "subagent_failed",
    subagentName: nameOfSubagent(call.input),
    isSuccess,
    callId: call.callId,
  });
}

function nameOfSubagent(input: OpenCall["input"]): string | undefined {
  const fields = asObject(input);
  return asText(fields?.["subagent_type"]) ?? asText(fields?.["description"]);
}
