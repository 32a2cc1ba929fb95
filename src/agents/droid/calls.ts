import { asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { OpenCall, Sink } from "../contract.js";
import { newCall, withNative } from "../shared/call-shapes.js";
import { endSubagent, startSubagent } from "./subagents.js";
import { finishedOf, operationsOf, subagentTool, withSkillFile } from "./tools.js";

/** `tool_call`: printed before the call runs. Calls that run at once are all printed first. */
export function startCall(record: JsonObject, out: Sink): void {
  const callId = asText(record["id"]);
  const name = asText(record["toolName"]) ?? asText(record["toolId"]);
  if (callId === undefined || name === undefined || out.call(callId) !== undefined) return;
  const input = record["parameters"];
  const isSilent = name === subagentTool;
  const operations = operationsOf(name, input, out.cwd);
  const call = newCall({ callId, name, input, native: record, isSilent, operations });
  out.open(call);
  if (isSilent) startSubagent(call, out);
}

/** `tool_result`. It has the id of its call, but neither its name nor its input. */
export function endCall(record: JsonObject, out: Sink): void {
  const call: OpenCall | undefined = out.call(asText(record["id"]) ?? "");
  if (call === undefined) return;
  const how = finishedOf(call, record);
  call.operations = withSkillFile(call.operations ?? [], how.output);
  out.finish(call, withNative(how, record));
  const { isSuccess } = how;
  if (call.isSilent !== true || isSuccess === undefined) return;
  // A subagent that nobody waits for has only been started when its call ends.
  const isAwaited = asFlag(asObject(call.input)?.["await"]) !== false;
  if (!isSuccess || isAwaited) endSubagent(call, { isSuccess }, out);
}
