import { asArray, asInteger, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { OpenCall, Sink } from "../contract.js";

/**
 * The tool `subagent` of the extension that Pi ships as an example: other `pi` processes, one after the other
 * (`chain`), at the same time (`tasks`) or a single one. Pi itself has no subagents. Another extension's tool of
 * that name, with another input, is not recognised.
 */
export function namesOfSubagents(call: OpenCall): string[] {
  if (call.name !== "subagent") return [];
  const input = asObject(call.input) ?? {};
  const steps = asArray(input["chain"]) ?? asArray(input["tasks"]) ?? [input];
  return steps.flatMap((step) => asText(asObject(step)?.["agent"]) ?? []);
}

export function emitStarted(call: OpenCall, names: readonly string[], out: Sink): void {
  for (const subagentName of names) {
    out.emit({ type: "orchestration", action: "subagent_started", subagentName, callId: call.callId });
  }
}

/** A chain stops at the first step that fails. Steps that never ran have no result, and no end is reported for them. */
export function emitEnded(
  call: OpenCall,
  result: JsonObject | undefined,
  isSuccess: boolean,
  out: Sink,
): void {
  const results = asArray(asObject(result?.["details"])?.["results"]) ?? [];
  const endings =
    results.length > 0 ? results.map(endingOf) : namesOfSubagents(call).map((name) => ({ name, isSuccess }));
  for (const { name, isSuccess: hasSucceeded } of endings) {
    const action = hasSucceeded ? "subagent_completed" : "subagent_failed";
    out.emit({
      type: "orchestration",
      action,
      subagentName: name,
      isSuccess: hasSucceeded,
      callId: call.callId,
    });
  }
}

function endingOf(value: JsonValue): { name: string | undefined; isSuccess: boolean } {
  const result = asObject(value) ?? {};
  const stopReason = asText(result["stopReason"]);
  const isSuccess = asInteger(result["exitCode"]) === 0 && stopReason !== "error" && stopReason !== "aborted";
  return { name: asText(result["agent"]), isSuccess };
}
