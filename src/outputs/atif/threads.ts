import type { EventOf, HarnessEvent } from "../../events/event.js";
import { isOperation, type OperationEvent } from "../../events/operation.js";
import { createUnfinishedCalls } from "../unfinished-calls.js";
import type { DraftCall } from "./draft.js";
import { createThread, type Thread } from "./thread.js";
import { usageOrders } from "./usage-order.js";

/** A run as its threads: the main agent, and each subagent by the call that started it. */
export interface Threads {
  readonly main: Thread;
  readonly subagents: ReadonlyMap<string, Thread>;
  /** The calls by their id: the first one, if an id comes twice. */
  readonly calls: ReadonlyMap<string, DraftCall>;
}

/** Puts every event in its place. `prompt`: what was asked; the turns of a live session have their own. */
export function toThreads(events: readonly HarnessEvent[], prompt: string | undefined): Threads {
  const orderOf = usageOrders(events);
  const main = createThread(orderOf(undefined));
  const subagents = new Map<string, Thread>();
  const first = new Map<string, DraftCall>();
  const latest = new Map<string, DraftCall>();
  const unfinished = createUnfinishedCalls();
  let asked = hasPrompts(events) ? undefined : prompt;

  function threadOf({ parentCallId }: HarnessEvent): Thread {
    if (parentCallId === undefined) return main;
    const thread = subagents.get(parentCallId) ?? createThread(orderOf(parentCallId));
    subagents.set(parentCallId, thread);
    return thread;
  }

  function start(event: EventOf<"tool_start">, thread: Thread): void {
    const call = thread.call(event);
    unfinished.started(event);
    latest.set(event.callId, call);
    if (!first.has(event.callId)) first.set(event.callId, call);
  }

  function end(event: EventOf<"tool_end">, thread: Thread): void {
    const call = latest.get(event.callId);
    if (call === undefined || call.end !== undefined) {
      thread.note(event);
      return;
    }
    call.end = event;
    call.isUnfinished = unfinished.isUnfinished(event);
  }

  function operate(event: OperationEvent, thread: Thread): void {
    const call = event.callId === undefined ? undefined : latest.get(event.callId);
    if (call === undefined) thread.note(event);
    else call.operations.push(event);
  }

  /** Some agents print the prompt again. */
  function hear({ role, message, timestamp }: EventOf<"agent">, thread: Thread): void {
    if (thread === main && role === "user" && message === asked) asked = undefined;
    else thread.hear(role === "user" ? "user" : "system", message, timestamp);
  }

  const [opening] = events;
  if (asked && opening !== undefined) main.hear("user", asked, opening.timestamp);
  for (const event of events) {
    const thread = threadOf(event);
    if (event.type === "tool_start") start(event, thread);
    else if (event.type === "tool_end") end(event, thread);
    else if (isOperation(event)) operate(event, thread);
    else if (event.type === "agent" && event.role !== undefined) hear(event, thread);
    else add(event, thread, thread === main);
  }
  return { main, subagents, calls: first };
}

function hasPrompts(events: readonly HarnessEvent[]): boolean {
  return events.some((event) => event.type === "turn" && event.prompt && event.parentCallId === undefined);
}

function add(event: HarnessEvent, thread: Thread, isMain: boolean): void {
  switch (event.type) {
    case "text":
    case "agent":
    case "thinking":
      thread.say(event);
      return;
    case "usage":
      if (event.scope === "step") thread.count(event);
      else if (!isMain || (event.scope === "turn" && event.turnId === undefined)) thread.note(event);
      return;
    case "turn":
    case "turn_end":
      thread.endTurn();
      if (event.type === "turn" && event.prompt) thread.hear("user", event.prompt, event.timestamp);
      if (!isMain) thread.note(event);
      return;
    case "session":
      if (event.model !== undefined) thread.setModel(event.model);
      if (!isMain) thread.note(event);
      return;
    case "started":
    case "result":
    case "exited":
    case "changes":
      // What they say about the run is in the trajectory's own fields.
      if (!isMain) thread.note(event);
      return;
    default:
      thread.note(event);
  }
}
