import type { EventOf, HarnessEvent } from "../../events/event.js";
import { isSamePlan } from "../plan-progress.js";
import type { Item, PlanItem, RequestItem, TurnEndItem } from "./items.js";

/** What only live sessions have, turns and requests, and the agent's plans. */
export interface Conversation {
  turn(event: EventOf<"turn">, common: Place): void;
  /** Tokens of a turn come before its end. */
  usage(event: EventOf<"usage">): void;
  turnEnd(event: EventOf<"turn_end">, common: Place): void;
  request(event: EventOf<"request">, common: Place): void;
  requestEnd(event: EventOf<"request_end">, common: Place): void;
  plan(event: EventOf<"plan">, common: Place): void;
}

type Place = { seq: number; time: number };

export function createConversation(place: (event: HarnessEvent, item: Item) => void): Conversation {
  const numbers = new Map<string, number>();
  const requests = new Map<string, RequestItem>();
  /** The latest plan of the main agent (`""`) and of each subagent. */
  const plans = new Map<string, PlanItem>();
  let tokens: number | undefined;

  return {
    turn(event, common) {
      const { turnId, prompt, origin } = event;
      const number = numbers.size + 1;
      numbers.set(turnId, number);
      tokens = undefined;
      place(event, { ...common, kind: "turn", number, origin, ...(prompt !== undefined && { prompt }) });
    },
    usage({ totalTokens }) {
      tokens = totalTokens;
    },
    turnEnd(event, common) {
      const number = numbers.get(event.turnId) ?? numbers.size;
      const item: TurnEndItem = { ...common, kind: "turn_end", number, end: event };
      place(event, tokens === undefined ? item : { ...item, tokens });
      tokens = undefined;
    },
    request(event, common) {
      const item: RequestItem = { ...common, kind: "request", request: event };
      requests.set(event.requestId, item);
      place(event, item);
    },
    requestEnd(event, common) {
      const item = requests.get(event.requestId);
      if (item === undefined) return;
      item.decision = event;
      item.end = common.time;
      requests.delete(event.requestId);
    },
    plan(event, common) {
      const thread = event.parentCallId ?? "";
      const before = plans.get(thread);
      if (before !== undefined && isSamePlan(before.entries, event.entries)) return;
      const item: PlanItem = { ...common, kind: "plan", entries: event.entries };
      plans.set(thread, item);
      place(event, item);
    },
  };
}
