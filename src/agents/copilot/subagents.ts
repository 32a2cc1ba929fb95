import { asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";

/** The subagents of a run, and which call each record belongs to. */
export interface Subagents {
  /** The call that started the subagent of this record. Undefined: the record belongs to the main agent. */
  parentOf(record: JsonObject): string | undefined;
  started(record: JsonObject, out: Sink): void;
  /** `subagent.completed` and `subagent.failed`. */
  ended(record: JsonObject, out: Sink): void;
}

/**
 * Records of a subagent have its id (`agentId`), but not all of them have the call that started it. A call of the tool
 * `task` can end before its subagent does.
 */
export function createSubagents(): Subagents {
  const callOf = new Map<string, string>();
  /** The parents of the calls that started subagents: a subagent's own subagent has one. */
  const parentOfCall = new Map<string, string | undefined>();

  function emit(
    record: JsonObject,
    action: "subagent_started" | "subagent_completed" | "subagent_failed",
    out: Sink,
  ): void {
    const data = asObject(record["data"]) ?? {};
    const callId = asText(data["toolCallId"]);
    const isSuccess = action === "subagent_started" ? undefined : action === "subagent_completed";
    out.emit({
      type: "orchestration",
      action,
      parentCallId: callId === undefined ? undefined : parentOfCall.get(callId),
      subagentId: asText(record["agentId"]),
      subagentName: asText(data["agentName"]) ?? asText(data["agentDisplayName"]),
      isSuccess,
      callId,
    });
  }

  return {
    parentOf(record) {
      const agentId = asText(record["agentId"]);
      const known = agentId === undefined ? undefined : callOf.get(agentId);
      return known ?? asText(asObject(record["data"])?.["parentToolCallId"]);
    },
    started(record, out) {
      const agentId = asText(record["agentId"]);
      const callId = asText(asObject(record["data"])?.["toolCallId"]);
      const call = callId === undefined ? undefined : out.call(callId);
      if (call !== undefined) {
        call.isSilent = true;
        parentOfCall.set(call.callId, call.parentCallId);
      }
      if (agentId !== undefined && callId !== undefined) callOf.set(agentId, callId);
      emit(record, "subagent_started", out);
    },
    ended(record, out) {
      const isCancelled = asFlag(asObject(record["data"])?.["cancelled"]) === true;
      const isCompleted = record["type"] === "subagent.completed" && !isCancelled;
      emit(record, isCompleted ? "subagent_completed" : "subagent_failed", out);
    },
  };
}
