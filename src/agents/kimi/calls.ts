import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Sink } from "../contract.js";
import { newCall, withNative } from "../shared/call-shapes.js";
import { finishedOf } from "./call-result.js";
import { endedSubagents, subagentsOf } from "./subagents.js";
import { operationsOf } from "./tools.js";

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
  const subagents = subagentsOf(name, input);
  const isSilent = subagents.length > 0;
  const operations = operationsOf(name, input, out.cwd);
  out.open(newCall({ callId, name, input, native, isSilent, operations }));
  for (const subagent of subagents)
    out.emit({ type: "orchestration", action: "subagent_started", ...subagent, callId });
}

/** The result of a call. */
export function endCall(record: JsonObject, out: Sink): void {
  const call = out.call(asText(record["tool_call_id"]) ?? "");
  const output = record["content"];
  if (call === undefined || typeof output !== "string") return;
  const ended = call.isSilent === true ? endedSubagents(call, output) : undefined;
  const how = ended === undefined ? finishedOf(call.name, output) : { isSuccess: ended.isSuccess, output };
  out.finish(call, withNative(how, record));
  for (const { isSuccess, ...subagent } of ended?.subagents ?? [])
    out.emit({
      type: "orchestration",
      action: isSuccess ? "subagent_completed" : "subagent_failed",
      ...subagent,
      isSuccess,
      callId: call.callId,
    });
}
