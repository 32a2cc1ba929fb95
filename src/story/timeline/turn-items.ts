import type { EventOf, HarnessEvent } from "../../events/event.js";
import { isSamePlan } from "../plan-progress.js";
import type { CallItem, Item, PlanItem, RequestItem, TurnEndItem } from "./items.js";

/** The items of what only live sessions have, turns and requests, and of the agent's plans. */
export interface TurnItems {
  add(event: SessionEvent, common: Place): void;
  /** Tokens of a turn come before its end. */
  addUsage(event: EventOf<"usage">): void;
}

type SessionEvent = EventOf<"turn" | "turn_end" | "request" | "request_end" | "plan">;
type Place = { seq: number; time: number };

/** `calls`: those that a request is about are marked, as long as it is open. */
export function createTurnItems(
  place: (event: HarnessEvent, item: Item) => void,
  calls: ReadonlyMap<string, CallItem>,
): TurnItems {
  const numbers = new Map<string, number>();
  const requests = new Map<string, RequestItem>();
  /** The latest plan of the main agent, whose key is empty, and of each subagent. */
  const plans = new Map<string, PlanItem>();
  let tokens: number | undefined;

  function startTurn(event: EventOf<"turn">, common: Place): void {
    const { turnId, prompt, origin } = event;
    const number = numbers.size + 1;
    numbers.set(turnId, number);
    tokens = undefined;
    place(event, { ...common, kind: "turn", number, origin, ...(prompt !== undefined && { prompt }) });
  }

  function endTurn(event: EventOf<"turn_end">, common: Place): void {
    const number = numbers.get(event.turnId) ?? numbers.size;
    const item: TurnEndItem = { ...common, kind: "turn_end", number, end: event };
    place(event, tokens === undefined ? item : { ...item, tokens });
    tokens = undefined;
  }

  function ask(event: EventOf<"request">, common: Place): void {
    const item: RequestItem = { ...common, kind: "request", request: event };
    requests.set(event.requestId, item);
    const call = calls.get(event.callId ?? "");
    if (call !== undefined) call.isAsking = true;
    place(event, item);
  }

  function decide(event: EventOf<"request_end">, { time }: Place): void {
    const item = requests.get(event.requestId);
    if (item === undefined) return;
    item.decision = event;
    item.end = time;
    requests.delete(event.requestId);
    delete calls.get(item.request.callId ?? "")?.isAsking;
  }

  function plan(event: EventOf<"plan">, common: Place): void {
    const thread = event.parentCallId ?? "";
    const before = plans.get(thread);
    if (before !== undefined && isSamePlan(before.entries, event.entries)) return;
    const item: PlanItem = { ...common, kind: "plan", entries: event.entries };
    plans.set(thread, item);
    place(event, item);
  }

  return {
    add(event, common) {
      switch (event.type) {
        case "turn":
          return startTurn(event, common);
        case "turn_end":
          return endTurn(event, common);
        case "request":
          return ask(event, common);
        case "request_end":
          return decide(event, common);
        case "plan":
          return plan(event, common);
      }
    },
    addUsage({ totalTokens }) {
      tokens = totalTokens;
    },
  };
}
