import { asObject, asText } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import type { OpenCall, Sink } from "../contract.js";
import { type Author, lead } from "./author.js";

/** The calls that start other agents, and the events about these agents. */
export interface Subagents {
  opened(call: OpenCall): void;
  /** The call has ended, and so has the subagent it started. */
  closed(
    call: OpenCall,
    how: { isSuccess: boolean | undefined; output: JsonValue | undefined },
    out: Sink,
  ): void;
  /** A subagent of `parent` has started. Its call is the oldest one of `parent` that has started none. */
  started(agentId: string, parent: Author | undefined, out: Sink): Author;
  /**
   * A teammate has started. Its call is the oldest one that has started none. That call may have ended, since teammates work
   * beside the lead.
   */
  joined(): Author;
  /** For streams without hooks (`--yolo`): the first sign of a subagent is its first step. */
  iterationStarted(out: Sink): void;
  /** The author of a plain record, if no hook says who is at work: the innermost agent that somebody waits for. */
  innermost(): Author;
  /** The author of a `team_event`. Only the in-process dialect marks the records of teammates. */
  teammate(agentId: string | undefined): Author;
  readonly hasTeamEvents: boolean;
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
  /** Calls of `team_run_task` whose teammate has not started yet. */
  const tasks: string[] = [];
  /** Teammates work at the same time as the lead. */
  let isMixed = false;
  let hasTeamEvents = false;

  /** Called at the first sign of the subagent, since a denied spawn starts none. */
  function emitStart(delegation: Delegation, out: Sink): void {
    delegation.isReported = true;
    const { callId, parentCallId, subagentId } = delegation;
    out.emit({ type: "orchestration", parentCallId, action: "subagent_started", subagentId, callId });
  }

  return {
    opened({ callId, name, input, parentCallId }) {
      const agentId = asText(asObject(input)?.["agentId"]);
      if (agentId !== undefined && teammateTools.has(name)) callOfTeammate.set(agentId, callId);
      if (!delegatingTools.has(name)) return;
      if (name !== spawnTool) tasks.push(callId);
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
    started(agentId, parent, out) {
      const spawn = delegations.find(
        (delegation) =>
          delegation.isSpawn && !delegation.isReported && delegation.parentCallId === parent?.parentCallId,
      );
      if (spawn === undefined) return { isLead: false };
      spawn.subagentId = agentId;
      emitStart(spawn, out);
      return { isLead: false, parentCallId: spawn.callId };
    },
    joined: () => ({ isLead: false, parentCallId: tasks.shift() }),
    iterationStarted(out) {
      const delegation = delegations.at(-1);
      if (delegation?.isSpawn === true && !delegation.isReported) emitStart(delegation, out);
    },
    innermost() {
      const delegation = delegations.at(-1);
      if (delegation === undefined || (isMixed && !hasTeamEvents)) return lead;
      return { isLead: false, parentCallId: delegation.callId };
    },
    teammate(agentId) {
      hasTeamEvents = true;
      return { isLead: false, parentCallId: callOfTeammate.get(agentId ?? "") };
    },
    get hasTeamEvents() {
      return hasTeamEvents;
    },
  };
}

export const spawnTool = "spawn_agent";
const delegatingTools: ReadonlySet<string> = new Set([spawnTool, "team_run_task"]);
/** Tools whose input names the teammate that they create or give a task. */
const teammateTools: ReadonlySet<string> = new Set(["team_spawn_teammate", "team_run_task"]);
