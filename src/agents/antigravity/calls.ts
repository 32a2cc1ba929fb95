import { asArray, asCount, asObject, asText, firstText, numberIn } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Finished, OpenCall, Sink } from "../contract.js";
import { newCall, withNative } from "../shared/call-shapes.js";
import { toOperations, toolRuleOf } from "../shared/tool-table.js";
import { antigravityTools } from "./tools.js";

/**
 * A `tool` or `subagent` step. It is ACTIVE first, then DONE or ERROR. `step_index` is the only id of a call.
 * Returns false if the step is not understood.
 */
export function emitToolStep(step: JsonObject, record: JsonObject, out: Sink): boolean {
  const index = asCount(step["step_index"]);
  const info = asObject(step["tool_info"]) ?? {};
  const name = asText(step["tool_name"]) ?? asText(info["name"]) ?? asText(step["step_type"]);
  if (index === undefined || name === undefined) return false;
  const callId = `step-${index}`;
  const call = out.call(callId) ?? openCall({ callId, name }, step, record, out);
  const state = asText(step["state"]) ?? "";
  if (!Object.hasOwn(endings, state)) {
    out.consume(`step_update: a call that is ${state || "going on"}`);
    return true;
  }
  /** A command is DONE without an exit code, even if it failed or was denied (1.2). */
  const isDoubtful = call.name === "run_command";
  const how = finishedOf(info, step, endings[state] && isDoubtful ? undefined : endings[state]);
  out.finish(call, withNative(how, record));
  if (how.isSuccess !== false) return true;
  for (const subagent of subagentsOf(step)) {
    out.emit({ type: "orchestration", action: "subagent_failed", ...subagent, isSuccess: false, callId });
  }
  return true;
}

const endings: Readonly<Record<string, boolean>> = {
  DONE: true,
  ERROR: false,
  CANCELED: false,
  CANCELLED: false,
};

/** A subagent's step ends once it is launched. Its own steps and its end are not in the stream (1.2.x). */
function openCall(
  about: { callId: string; name: string },
  step: JsonObject,
  record: JsonObject,
  out: Sink,
): OpenCall {
  const input = inputOf(step);
  const { callId, name } = about;
  const rule = toolRuleOf(antigravityTools, name);
  const operations = rule && toOperations(rule, input, out.cwd);
  const subagents = subagentsOf(step);
  const isSilent = subagents.length > 0;
  const call = newCall({ callId, name, input, native: record, isSilent, operations });
  out.open(call);
  for (const subagent of subagents) {
    out.emit({ type: "orchestration", action: "subagent_started", ...subagent, callId });
  }
  return call;
}

function inputOf(step: JsonObject): JsonValue | undefined {
  return asObject(step["tool_info"])?.["parameters"] ?? asObject(step["subagent_info"]) ?? undefined;
}

function subagentsOf(
  step: JsonObject,
): { subagentId: string | undefined; subagentName: string | undefined }[] {
  return (asArray(asObject(step["subagent_info"])?.["subagents"]) ?? []).flatMap((value) => {
    const fields = asObject(value);
    if (fields === undefined) return [];
    return [
      {
        subagentId: asText(fields["conversation_id"]),
        subagentName: firstText(fields, ["role", "type_name"]),
      },
    ];
  });
}

/** The error of a step, which is an object or a text. A call has it beside its parameters. */
export function errorOf(step: JsonObject): { message?: string | undefined; code?: string | undefined } {
  for (const value of [asObject(step["tool_info"])?.["error"], step["error"]]) {
    const error = asObject(value);
    const message = asText(error?.["message"]) ?? asText(value);
    if (message !== undefined) return { message, code: asText(error?.["type"]) };
  }
  return {};
}

/** The error of a failed command holds its exit code: `exit status 1`. */
function finishedOf(info: JsonObject, step: JsonObject, isSuccess: boolean | undefined): Finished {
  const { message } = errorOf(step);
  return {
    isSuccess: message === undefined ? isSuccess : false,
    output: info["output"] ?? message,
    exitCode: numberIn(message ?? "", /^exit status (\d{1,3})\b/),
  };
}
