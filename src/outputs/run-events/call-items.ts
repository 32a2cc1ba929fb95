import type { EventOf, HarnessEvent } from "../../events/event.js";
import { isOperation } from "../../events/operation.js";
import { describePlan } from "../../story/describe-operation.js";
import { createUnfinishedCalls } from "../unfinished-calls.js";
import { toToolEnd, toToolStart } from "./items.js";
import type { RunEvent } from "./schema.js";

/** The items of calls. An activity says what a call does when it begins, if that is known by then. */
export interface CallItems {
  items(event: EventOf<"tool_start" | "tool_end">, cwd: string | undefined): RunEvent[];
  /** True if an activity has already said what this event reports. */
  isAnnounced(event: HarnessEvent): boolean;
}

export function createCallItems(): CallItems {
  const unfinished = createUnfinishedCalls();
  const announced = new Set<string>();
  /** The call that ended last: what it did follows its end. */
  let ended: string | undefined;

  function forget(): void {
    if (ended !== undefined) announced.delete(ended);
    ended = undefined;
  }

  return {
    items(event, cwd) {
      forget();
      const { runId, callId } = event;
      if (event.type === "tool_end") {
        ended = callId;
        return [toToolEnd(event, unfinished.isUnfinished(event))];
      }
      unfinished.started(event);
      const items: RunEvent[] = [toToolStart(event)];
      for (const operation of event.operations ?? []) {
        announced.add(callId);
        items.push({ kind: "activity", runId, message: describePlan(operation, cwd) });
      }
      return items;
    },
    isAnnounced(event) {
      if (!isOperation(event) || event.callId === undefined || event.type === "orchestration") return false;
      return announced.has(event.callId);
    },
  };
}
