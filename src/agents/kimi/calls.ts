import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { OpenCall, Sink } from "../contract.js";
import { endSubagent, startSubagent } from "../shared/subagent-call.js";
import { finishedOf } from "./call-result.js";
import { operationsOf } from "./tools.js";

/** The tool that runs a subagent. What a subagent does is not in the stream. */
const subagentTool = "Agent";

/** The calls of a message. If one is refused, Kimi prints those that are still waiting again (2.1.0). */
export function startCalls(record: JsonObject, out: Sink): void {
  for (const value of asArray(record["tool_calls"]) ?? []) {
    const native = asObject(value) ?? {};
    const { name, arguments: given } = asObject(native["function"]) ?? {};
    const callId = asText(native["id"]);
    const tool = asText(name);
    if (callId === undefined || tool === undefined) out.emit({ type: "unknown", raw: value });
    else if (out.call(callId) === undefined) start(callId, tool, given, value, out);
    else out.consume("assistant: a call that was printed before");
  }
}

/** The arguments are JSON text. */
function start(
  callId: string,
  name: string,
  given: JsonValue | undefined,
  native: JsonValue,
  out: Sink,
): void {
  const input = typeof given === "string" ? (parseJson(given) ?? given) : given;
  const isSilent = name === subagentTool;
  const operations = operationsOf(name, input, out.cwd);
  const call: OpenCall = { callId, name, input, native, isSilent, operations };
  out.open(call);
  if (isSilent) startSubagent(call, out);
}

/** The result of a call. */
export function endCall(record: JsonObject, out: Sink): void {
  const call = out.call(asText(record["tool_call_id"]) ?? "");
  const output = record["content"];
  if (call === undefined || typeof output !== "string") return;
  const how = call.isSilent === true ? subagentResult(output) : finishedOf(call.name, output);
  out.finish(call, { isSuccess: how.isSuccess, exitCode: how.exitCode, output, native: record });
  const { isSuccess } = how;
  const subagentId = /^agent_id: (\S+)/m.exec(output)?.[1];
  if (call.isSilent === true && isSuccess !== undefined) endSubagent(call, { isSuccess, subagentId }, out);
}

/** A subagent in the background has only been started when its call ends. */
function subagentResult(output: string): ReturnType<typeof finishedOf> {
  const status = /^agent_id: \S+\nactual_subagent_type: [^\n]*\nstatus: (completed|failed)$/m.exec(
    output,
  )?.[1];
  if (status !== undefined) return { isSuccess: status === "completed" };
  return finishedOf(subagentTool, output);
}
