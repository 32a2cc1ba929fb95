import { asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { OpenCall, Sink } from "../contract.js";
import { type Author, lead } from "./author.js";

/**
 * Follows who is at work. Cline runs the calls of a turn one after the other, so while `spawn_agent` (or
 * `team_run_task`, which waits for a teammate) is running, everything in the stream is the subagent's,
 * although no record says so (seen with 3.0.65 in both dialects, also with several calls in one turn).
 */
export interface Subagents {
  opened(call: OpenCall): void;
  /** The call has ended: what it had set to work is done. */
  closed(
    call: OpenCall,
    how: { isSuccess: boolean | undefined; output: JsonValue | undefined },
    out: Sink,
  ): void;
  /** `hook_event`: the only record that names agents. */
  hook(record: JsonObject, out: Sink): void;
  /** Somebody began to work. */
  iterationStarted(out: Sink): void;
  /** Whose a plain `agent_event` is. */
  author(): Author;
  /** Whose a `team_event` is: only the in-process dialect sets teammates apart. */
  teammate(agentId: string | undefined): Author;
  /** True when the lead was prompted again after it had finished (it waited for teammates). */
  readonly hasSeveralTurns: boolean;
}

interface Delegation {
  callId: string;
  parentCallId: string | undefined;
  isSpawn: boolean;
  subagentId?: string;
  isReported: boolean;
}

export function createSubagents(): Subagents {
  const delegations: Delegation[] = [];
  const callOfTeammate = new Map<string, string>();
  /** Teammates work beside the lead and their records are not marked: the author of a record is no longer known. */
  let isMixed = false;
  let hasTeamEvents = false;
  let leadId: string | undefined;
  let turns = 0;

  /** Emitted at the first sign of the subagent, so that a denied spawn starts none. */
  function emitStart(delegation: Delegation, out: Sink): void {
    delegation.isReported = true;
    const { callId, parentCallId, subagentId } = delegation;
    out.emit({ type: "orchestration", parentCallId, action: "subagent_started", subagentId, callId });
  }

  function innermostSpawn(): Delegation | undefined {
    return delegations.findLast(({ isSpawn }) => isSpawn);
  }

  return {
    opened({ callId, name, input, parentCallId }) {
      const agentId = asText(asObject(input)?.["agentId"]);
      if (agentId !== undefined && teammateTools.has(name)) callOfTeammate.set(agentId, callId);
      if (!delegatingTools.has(name)) return;
      delegations.push({ callId, parentCallId, isSpawn: name === spawnTool, isReported: false });
    },
    closed(call, how, out) {
      const index = delegations.findLastIndex(({ callId }) => callId === call.callId);
      const [delegation] = index === -1 ? [] : delegations.splice(index, 1);
      if (call.name === "team_run_task" && asObject(how.output)?.["mode"] === "async") isMixed = true;
      if (delegation?.isSpawn !== true) return;
      const { callId, parentCallId, subagentId } = delegation;
      const isSuccess = how.isSuccess !== false;
      const action = isSuccess ? "subagent_completed" : "subagent_failed";
      out.emit({ type: "orchestration", parentCallId, action, subagentId, isSuccess, callId });
    },
    hook(record, out) {
      out.consume("hook_event: bookkeeping");
      const agentId = asText(record["agentId"]);
      if (record["hookEventName"] !== "agent_start" || agentId === undefined) return;
      leadId ??= agentId;
      if (agentId === leadId) turns += 1;
      const spawn = innermostSpawn();
      if (spawn === undefined || spawn.isReported || asText(record["parentAgentId"]) === undefined) return;
      spawn.subagentId = agentId;
      emitStart(spawn, out);
    },
    /** Without hooks (`--yolo`) the subagent's first step is the first sign of it. */
    iterationStarted(out) {
      const spawn = innermostSpawn();
      if (spawn !== undefined && !spawn.isReported && spawn === delegations.at(-1)) emitStart(spawn, out);
    },
    author() {
      const delegation = delegations.at(-1);
      if (delegation === undefined || (isMixed && !hasTeamEvents)) return lead;
      return { isLead: false, parentCallId: delegation.callId };
    },
    teammate(agentId) {
      hasTeamEvents = true;
      return { isLead: false, parentCallId: callOfTeammate.get(agentId ?? "") };
    },
    get hasSeveralTurns() {
      return turns > 1;
    },
  };
}

export const spawnTool = "spawn_agent";
const delegatingTools: ReadonlySet<string> = new Set([spawnTool, "team_run_task"]);
/** Calls that name the teammate that they create or set to work. */
const teammateTools: ReadonlySet<string> = new Set(["team_spawn_teammate", "team_run_task"]);
