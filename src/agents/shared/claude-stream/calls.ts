import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Finished, OpenCall, Operation, Sink } from "../../contract.js";
import { operationDrafts } from "../../frame/operation-drafts.js";
import { toOperations } from "../tool-table.js";
import { finishedOf, isStillRunning, recoverRead } from "./call-result.js";
import type { Dialect } from "./dialect.js";
import type { OpenWork } from "./open-work.js";
import { isBackground, type Subagents } from "./subagents.js";

/** Tool calls: `tool_use` blocks start them, `tool_result` blocks end them. */
export interface Calls {
  start(block: JsonObject, parentCallId: string | undefined, out: Sink): void;
  /** `record` is the `user` record that holds the block. */
  end(block: JsonObject, record: JsonObject, parentCallId: string | undefined, out: Sink): void;
}

export function createCalls({
  dialect,
  subagents,
  openWork,
}: {
  dialect: Dialect;
  subagents: Subagents;
  openWork: OpenWork;
}): Calls {
  const { tools, subagentTools, silentTools, isUnknownOnce = false } = dialect;
  return {
    start(block, parentCallId, out) {
      const callId = asText(block["id"]);
      const name = asText(block["name"]);
      if (callId === undefined || name === undefined)
        return out.emit({ type: "unknown", parentCallId, raw: block });
      const rule = Object.hasOwn(tools, name) ? tools[name] : undefined;
      const isKnown = rule !== undefined || subagentTools.has(name) || silentTools.has(name);
      const call: OpenCall = { callId, name, input: block["input"], parentCallId, native: block };
      if (rule === undefined) call.isSilent = isKnown || !isUnknownOnce;
      else call.operations = toOperations(rule, block["input"], out.cwd);
      out.open(call);
      if (!isKnown && !isUnknownOnce) out.emit({ type: "unknown", parentCallId, raw: block });
    },
    end(block, record, parentCallId, out) {
      const call = out.call(asText(block["tool_use_id"]) ?? "");
      if (call === undefined) return recoverRead(block, record, parentCallId, out);
      openWork.returned(call, record, out);
      const how = finishedOf(block, record);
      const isSubagent = subagentTools.has(call.name);
      const isRecognised = call.isSilent !== true || silentTools.has(call.name) || isSubagent;
      if (dialect.endCall !== undefined) dialect.endCall(call, how, out);
      else if (call.operations?.length && isStillRunning(record))
        finishRunning(call, call.operations, how, out);
      else out.finish(call, how);
      if (!isRecognised) out.emit({ type: "unknown", parentCallId, raw: block });
      if (!isSubagent || isBackground(record)) return;
      const name = asText(asObject(call.input)?.["subagent_type"]);
      subagents.returned({ callId: call.callId, name, isSuccess: how.isSuccess ?? false }, out);
    },
  };
}

/** The call succeeded, but its operations have no outcome, or none yet. */
export function finishRunning(call: OpenCall, operations: Operation[], how: Finished, out: Sink): void {
  call.isSilent = true;
  out.finish(call, how);
  for (const draft of operationDrafts(call, operations, {})) out.emit(draft);
}
