import { asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { type Author, lead } from "./author.js";
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
  /** Whose call ends, if a hook or a record has told it. */
  callEnded(callId: string): Author | undefined;
  /** The agents whose model could have sent this part of an answer. Nobody: no hook tells it. */
  answering(part: "usage" | "words"): Worker[];
  /** The agent of the latest hook. An `error` follows the hook of the agent that met it. */
  latest(): Author | undefined;
  /** False if the stream has no hooks (`--yolo`). */
  readonly hasHooks: boolean;
  /** True if the lead was prompted again after it had finished (it waited for teammates). */
  readonly hasSeveralTurns: boolean;
}

export interface Worker {
  readonly author: Author;
  /** All tokens that it has reported so far. */
  spent: number;
}

interface State extends Worker {
  isTeammate: boolean;
  /** It waits for its model. */
  asks: boolean;
  /** Calls that hooks have announced and that have not begun. */
  announced: number;
  running: number;
  /** When its next call became due. */
  dueAt: number;
}

export function createWorkers(subagents: Subagents): Workers {
  const workers = new Map<string, State>();
  const callers = new Map<string, State>();
  let leadId: string | undefined;
  let latest: State | undefined;
  let turns = 0;
  let clock = 0;

  function start(agentId: string, record: JsonObject, out: Sink): State {
    leadId ??= agentId;
    const parentId = asText(record["parentAgentId"]);
    const isTeammate = agentId !== leadId && parentId === undefined;
    if (agentId === leadId) turns += 1;
    const author =
      agentId === leadId
        ? lead
        : parentId === undefined
          ? subagents.joined()
          : subagents.started(agentId, workers.get(parentId)?.author, out);
    const state = { author, isTeammate, asks: true, announced: 0, running: 0, dueAt: 0, spent: 0 };
    workers.set(agentId, state);
    return state;
  }

  function begin(callId: string, state: State): void {
    callers.set(callId, state);
    run(state);
  }

  function answering(part: "usage" | "words"): State[] {
    const isMarked = part === "words" && subagents.hasTeamEvents;
    return [...workers.values()].filter(({ asks, isTeammate }) => asks && !(isMarked && isTeammate));
  }

  return {
    hook(record, out) {
      out.consume("hook_event: bookkeeping");
      const agentId = asText(record["agentId"]);
      const name = asText(record["hookEventName"]) ?? "";
      if (agentId === undefined) return undefined;
      const state = name === "agent_start" ? start(agentId, record, out) : workers.get(agentId);
      latest = state ?? latest;
      const hadAsked = state?.asks === true && name !== "agent_start";
      if (state !== undefined && name === "tool_call") announce(state, ++clock);
      else if (endings.has(name)) workers.delete(agentId);
      else if (name !== "prompt_submit") return undefined;
      return hadAsked ? state : undefined;
    },
    callStarted(callId) {
      const speakers = answering("words");
      const caller = nextCaller([...workers.values()]) ?? (speakers.length === 1 ? speakers[0] : undefined);
      if (caller !== undefined) begin(callId, caller);
      else if (speakers.length === 0) return subagents.innermost();
      return caller?.author;
    },
    teammateCalled(callId, { parentCallId }) {
      const state = [...workers.values()].find(
        ({ isTeammate, author }) => isTeammate && author.parentCallId === parentCallId,
      );
      if (state !== undefined) begin(callId, state);
    },
    callEnded(callId) {
      const state = callers.get(callId);
      if (state === undefined) return undefined;
      callers.delete(callId);
      rest(state, ++clock);
      dismiss(callId, workers, callers);
      return state.author;
    },
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

/** A turn that begins forgets calls that were announced and never began. */
function announce(state: State, at: number): void {
  if (state.asks) state.announced = 0;
  state.asks = false;
  state.announced += 1;
  state.dueAt = at;
}

function run(state: State): void {
  state.announced = Math.max(0, state.announced - 1);
  state.asks = false;
  state.running += 1;
}

function rest(state: State, at: number): void {
  state.running = Math.max(0, state.running - 1);
  state.dueAt = at;
  if (state.running === 0 && state.announced === 0) state.asks = true;
}

/** Most calls of a turn run one after the other, so an agent with a running call is the last one to consider. */
function nextCaller(workers: readonly State[]): State | undefined {
  const due = workers.filter(({ announced }) => announced > 0).sort((one, other) => one.dueAt - other.dueAt);
  return due.find(({ running }) => running === 0) ?? due.at(-1);
}

/** The subagent of a call that has ended is gone, and so are its own subagents, even if no hook says so. */
function dismiss(callId: string, workers: Map<string, State>, callers: Map<string, State>): void {
  for (const [agentId, state] of workers) {
    if (state.isTeammate || state.author.parentCallId !== callId) continue;
    workers.delete(agentId);
    for (const [inner, caller] of callers)
      if (caller === state && callers.delete(inner)) dismiss(inner, workers, callers);
  }
}
