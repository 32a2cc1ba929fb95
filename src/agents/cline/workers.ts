import { asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { type Author, lead } from "./author.js";
import { createRoster, type Member, type Worker } from "./roster.js";
import type { Subagents } from "./subagents.js";

/**
 * Follows which agents are at work. A plain record does not say whose it is, and subagents of one turn work at the same
 * time (3.0.65). Only `hook_event` records name agents. Each agent takes turns: it asks its model, then a `tool_call` hook
 * announces every call of the answer, then the calls run, and then it asks again. After an answer without calls it ends
 * (`agent_end`), or Cline prompts it again (`prompt_submit`).
 */
export interface Workers {
  /** `hook_event`. Returns the agent whose model has just answered, or has failed. */
  hook(record: JsonObject, out: Sink): Worker | undefined;
  /** Whose call begins. Undefined: the call was rejected without a hook, and several agents could have made it. */
  callStarted(callId: string): Author | undefined;
  /** A call of a teammate begins, in the dialect that marks the records of teammates. */
  teammateCalled(callId: string, author: Author): void;
  /** Whose call ends, if a hook or a record has named the agent. */
  callEnded(callId: string): Author | undefined;
  /** The agents whose model could have sent this part of an answer. Empty: no hook names them. */
  answering(part: "usage" | "words"): readonly Worker[];
  /** The agent of the latest hook. An `error` follows the hook of the agent that met it. */
  latest(): Author | undefined;
  /** False if the stream has no hooks (`--yolo`). */
  readonly hasHooks: boolean;
  /** True if the lead was prompted again after it had finished (it waited for teammates). */
  readonly hasSeveralTurns: boolean;
}

export function createWorkers(subagents: Subagents): Workers {
  const roster = createRoster();
  let leadId: string | undefined;
  let latest: Member | undefined;
  let turns = 0;

  function start(agentId: string, record: JsonObject, out: Sink): Member {
    leadId ??= agentId;
    const parentId = asText(record["parentAgentId"]);
    const isTeammate = agentId !== leadId && parentId === undefined;
    if (agentId === leadId) turns += 1;
    const author =
      agentId === leadId
        ? lead
        : parentId === undefined
          ? subagents.joined()
          : subagents.started(agentId, roster.get(parentId)?.author, out);
    const member = { author, isTeammate, asks: true, announced: 0, running: 0, dueAt: 0, spent: 0 };
    roster.add(agentId, member);
    return member;
  }

  const answering = (part: "usage" | "words") =>
    part === "words" && subagents.hasTeamEvents ? roster.askingUnmarked() : roster.asking();

  return {
    hook(record, out) {
      out.consume("hook_event: bookkeeping");
      const agentId = asText(record["agentId"]);
      const name = asText(record["hookEventName"]) ?? "";
      if (agentId === undefined) return undefined;
      const member = name === "agent_start" ? start(agentId, record, out) : roster.get(agentId);
      latest = member ?? latest;
      const hadAsked = member?.asks === true && name !== "agent_start";
      if (member !== undefined && name === "tool_call") roster.announce(member);
      else if (endings.has(name)) roster.remove(agentId);
      else if (name !== "prompt_submit") return undefined;
      return hadAsked ? member : undefined;
    },
    callStarted(callId) {
      const speakers = answering("words");
      const caller = roster.nextCaller() ?? (speakers.length === 1 ? speakers[0] : undefined);
      if (caller !== undefined) roster.begin(callId, caller);
      else if (speakers.length === 0) return subagents.innermost();
      return caller?.author;
    },
    teammateCalled(callId, author) {
      const mate = roster.teammate(author.parentCallId);
      if (mate !== undefined) roster.begin(callId, mate);
    },
    callEnded: (callId) => roster.end(callId)?.author,
    answering,
    latest: () => latest?.author,
    get hasHooks() {
      return leadId !== undefined;
    },
    get hasSeveralTurns() {
      return turns > 1;
    },
  };
}

const endings: ReadonlySet<string> = new Set(["agent_end", "agent_error"]);
