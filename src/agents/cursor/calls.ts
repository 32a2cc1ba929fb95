import { asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { createRecent } from "../../text/recent.js";
import type { OpenCall, Sink } from "../contract.js";
import { newCall, withNative } from "../shared/call-shapes.js";
import { finishedOf } from "./call-result.js";
import { type NativeCall, readCall } from "./native-call.js";
import { atReportedPath, withReportedPlace } from "./reported-paths.js";
import { operationsOf, subagentTool } from "./tools.js";

/** `tool_call` records: `started` and `completed`, which repeats the arguments. Returns false if not understood. */
export function createCalls(): (record: JsonObject, out: Sink) => boolean {
  /** Calls that have ended, since `completed` can be printed twice. The second one comes soon. */
  const ended = createRecent<string>();

  function start(native: NativeCall, callId: string, record: JsonObject, out: Sink): OpenCall {
    const { name, args: input, parentCallId } = native;
    const isSilent = native.tool === subagentTool;
    const operations = isSilent ? undefined : operationsOf(native.tool, native.args, out.cwd);
    const call = newCall({ callId, name, input, parentCallId, native: record, isSilent, operations });
    ended.delete(callId);
    out.open(call);
    if (native.tool === subagentTool) {
      out.emit({ type: "orchestration", action: "subagent_started", ...subagentOf(native.args), callId });
    }
    return call;
  }

  function complete(native: NativeCall, record: JsonObject, out: Sink): void {
    if (native.callId !== undefined && ended.has(native.callId)) {
      return out.consume("tool_call/completed: a second time");
    }
    const callId = native.callId ?? `line-${out.lineNumber}`;
    const call = out.call(callId) ?? start(native, callId, record, out);
    if (call.isSilent !== true) {
      const args = withReportedPlace(native, native.args ?? call.input, out.cwd);
      call.operations = atReportedPath(operationsOf(native.tool, args, out.cwd), native.result);
    }
    const how = finishedOf(native.result);
    ended.set(callId, true);
    out.finish(call, withNative(how, record));
    if (native.tool !== subagentTool || how.isSuccess === undefined) return;
    const action = how.isSuccess ? "subagent_completed" : "subagent_failed";
    out.emit({ type: "orchestration", action, ...subagentOf(call.input), isSuccess: how.isSuccess, callId });
  }

  return (record, out) => {
    const native = readCall(record);
    if (native === undefined) return false;
    if (record["subtype"] === "completed") complete(native, record, out);
    else if (record["subtype"] !== "started" || native.callId === undefined) return false;
    else if (out.call(native.callId) !== undefined) out.consume("tool_call/started: a second time");
    else start(native, native.callId, record, out);
    return true;
  };
}

/** The id is the one in the arguments. The result may name another. */
function subagentOf(args: JsonValue | undefined): {
  subagentId: string | undefined;
  subagentName: string | undefined;
} {
  const fields = asObject(args) ?? {};
  const type = fields["subagentType"] ?? fields["subagent_type"];
  return {
    subagentId: asText(fields["agentId"]),
    subagentName: nameOfType(type) ?? asText(fields["description"]),
  };
}

/** The type is a name, `{explore: {}}` or `{custom: {name}}`. `{unspecified: {}}` has no name. */
function nameOfType(type: JsonValue | undefined): string | undefined {
  if (typeof type === "string") return asText(type);
  const [kind, details] = Object.entries(asObject(type) ?? {})[0] ?? [];
  return asText(asObject(details)?.["name"]) ?? (kind === "unspecified" ? undefined : kind);
}
