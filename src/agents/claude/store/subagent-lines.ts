import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { subagentTools } from "../tools.js";

/** Finds the call that has started a subagent, for the lines of that subagent (`isSidechain`). */
export interface SubagentLines {
  /** An `assistant` line may call for subagents. */
  called(record: JsonObject): void;
  /** `agent-<id>.meta.json`. The line after it is the first one of the subagent. */
  described(record: JsonObject): void;
  /** A `progress` line names the call of a subagent (before 2.1.197). */
  progressed(record: JsonObject): void;
  /** The call that has started the subagent of this line. `isNew`: it is the first line of the subagent. */
  of(record: JsonObject): SubagentOf;
}

export interface SubagentOf {
  callId: string;
  agentId: string | undefined;
  agentType: string | undefined;
  isNew: boolean;
}

/**
 * 2.1.325 describes each subagent in a file. Without it, the first line of a subagent is the prompt of its call. Versions without
 * `agentId` have the lines in the file of the session, each with the line before it as its parent.
 */
export function createSubagentLines(): SubagentLines {
  /** The prompts of the calls whose subagent has no line yet. */
  const waiting = new Map<string, string>();
  const calls = new Map<string, string>();
  /** The first line of the chain that a line belongs to. */
  const roots = new Map<string, string>();
  let description: JsonObject | undefined;

  function keyOf(record: JsonObject): string {
    const agentId = asText(record["agentId"]);
    if (agentId !== undefined) return agentId;
    const uuid = asText(record["uuid"]) ?? "";
    const root = roots.get(asText(record["parentUuid"]) ?? "") ?? uuid;
    roots.set(uuid, root);
    return root;
  }

  function callOf(record: JsonObject, key: string): string {
    const named = asText(description?.["toolUseId"]);
    const prompt = asObject(record["message"])?.["content"];
    const asked = [...waiting].find(([, text]) => text === prompt)?.[0];
    return named ?? asked ?? `agent-${key}`;
  }

  return {
    called(record) {
      for (const value of asArray(asObject(record["message"])?.["content"]) ?? []) {
        const block = asObject(value) ?? {};
        const callId = asText(block["id"]);
        const isCall = block["type"] === "tool_use" && subagentTools.has(asText(block["name"]) ?? "");
        if (isCall && callId !== undefined)
          waiting.set(callId, asText(asObject(block["input"])?.["prompt"]) ?? "");
      }
    },
    described(record) {
      description = record;
    },
    progressed(record) {
      const agentId = asText(asObject(record["data"])?.["agentId"]);
      const callId = asText(record["parentToolUseID"]);
      if (agentId !== undefined && callId !== undefined && waiting.has(callId)) calls.set(agentId, callId);
    },
    of(record) {
      const key = keyOf(record);
      const known = calls.get(key);
      const callId = known ?? callOf(record, key);
      const isNew = known === undefined || waiting.has(callId);
      const agentType = isNew ? asText(description?.["agentType"]) : undefined;
      if (isNew) description = undefined;
      calls.set(key, callId);
      waiting.delete(callId);
      return { callId, agentId: asText(record["agentId"]), agentType, isNew };
    },
  };
}
