import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Finished, OpenCall, Sink } from "../../contract.js";
import { newCall } from "../call-shapes.js";
import { finishRunning } from "../finish-running.js";
import { toolRuleOf } from "../tool-table.js";
import { finishedOf, isStillRunning, recoverRead } from "./call-result.js";
import type { Dialect } from "./dialect.js";
import type { Directories } from "./directories.js";
import type { HeldSkills } from "./held-skills.js";
import type { OpenWork } from "./open-work.js";
import type { Subagents } from "./subagents.js";

/** Tool calls: `tool_use` blocks start them, `tool_result` blocks end them. */
export interface Calls {
  start(block: JsonObject, parentCallId: string | undefined, out: Sink): void;
  /** `record` is the `user` record that holds the block. */
  end(block: JsonObject, record: JsonObject, parentCallId: string | undefined, out: Sink): void;
}

/** The parts of the stream that calls work with. */
export interface CallParts {
  dialect: Dialect;
  directories: Directories;
  subagents: Subagents;
  openWork: OpenWork;
  skills: HeldSkills;
}

export function createCalls({ dialect, directories, subagents, openWork, skills }: CallParts): Calls {
  const { tools, subagentTools, silentTools, isUnknownOnce = false } = dialect;

  function finish(call: OpenCall, record: JsonObject, how: Finished, out: Sink): void {
    if (dialect.endCall !== undefined) return dialect.endCall(call, how, out);
    const rule = toolRuleOf(tools, call.name);
    if (rule === undefined) return out.finish(call, how);
    const operations = directories.ended(call, rule, record, how);
    call.operations = operations;
    const isRunning =
      isStillRunning(call, record, how) || (dialect.backgroundTools?.has(call.name) && how.isSuccess);
    if (rule.as === "skill" && operations.length > 0) skills.finish(call, operations, how, out);
    else if (isRunning && operations.length > 0) finishRunning(call, how, out);
    else out.finish(call, how);
  }

  return {
    start(block, parentCallId, out) {
      const callId = asText(block["id"]);
      const name = asText(block["name"]);
      if (callId === undefined || name === undefined)
        return out.emit({ type: "unknown", parentCallId, raw: block });
      const rule = toolRuleOf(tools, name);
      const isSubagent = subagentTools.has(name);
      const call = newCall({ callId, name, input: block["input"], parentCallId, native: block });
      const isKnown = rule !== undefined || isSubagent || silentTools.has(name);
      if (rule === undefined) call.isSilent = isKnown || !isUnknownOnce;
      call.operations = directories.begun(call, rule);
      if (isSubagent) subagents.called(call);
      out.open(call);
      if (!isKnown && !isUnknownOnce) out.emit({ type: "unknown", parentCallId, raw: block });
    },
    end(block, record, parentCallId, out) {
      const call = out.call(asText(block["tool_use_id"]) ?? "");
      if (call === undefined) {
        const directory = directories.of(parentCallId);
        return recoverRead(block, record, { parentCallId, directory }, out);
      }
      openWork.returned(call, record, out);
      const how = finishedOf(block, record);
      const isSubagent = subagentTools.has(call.name);
      const isRecognised =
        isUnknownOnce ||
        toolRuleOf(tools, call.name) !== undefined ||
        silentTools.has(call.name) ||
        isSubagent;
      finish(call, record, how, out);
      directories.follow(call, record, how);
      if (!isRecognised) out.emit({ type: "unknown", parentCallId, raw: block });
      if (isSubagent) subagents.returned(call, record, how.isSuccess ?? false, out);
    },
  };
}
