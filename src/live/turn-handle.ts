import type { EventOf, HarnessEvent } from "../events/event.js";
import { createDelivery, type Pressure } from "../runs/delivery.js";
import { eventsOf } from "../runs/events-of.js";
import { tokensOf } from "../runs/tally.js";
import type { Turn, TurnResult } from "./session.js";

/** A turn as the session sees it. */
export interface TurnHandle {
  readonly turn: Turn;
  readonly prompt: string;
  /** An event of the turn. `turn_end` ends it. */
  add(event: HarnessEvent): void;
  /** The turn never began, or the session ended without its end. */
  settle(how: Pick<TurnResult, "reason" | "failure">): void;
}

/** Roughly what an event takes in memory, for back-pressure. */
const eventBytes = 200;

export function createTurnHandle(
  turnId: string,
  prompt: string,
  onPressure: (pressure: Pressure) => void,
): TurnHandle {
  const delivery = createDelivery(onPressure);
  let usage: EventOf<"usage"> | undefined;
  let resolve: (result: TurnResult) => void = () => {};
  const result = new Promise<TurnResult>((done) => {
    resolve = done;
  });

  function end(how: TurnResult): void {
    delivery.finish();
    // Its events are all there. Whoever reads them later does not hold up the turns that follow.
    onPressure("none");
    resolve(how);
  }

  return {
    turn: { turnId, result, [Symbol.asyncIterator]: () => eventsOf(delivery.batches()) },
    prompt,
    add(event) {
      delivery.publish({ steps: [{ events: [event] }], pieces: () => [] }, eventBytes);
      if (event.type === "usage" && event.scope !== "step") usage = event;
      if (event.type === "turn_end") end(toResult(event, usage));
    },
    settle: (how) => end({ turnId, isSuccess: false, ...how }),
  };
}

function toResult(ended: EventOf<"turn_end">, usage: EventOf<"usage"> | undefined): TurnResult {
  const { turnId, isSuccess, reason, text, failure, costUsd, costSource, durationMs } = ended;
  return {
    turnId,
    isSuccess,
    reason,
    ...(text !== undefined && { text }),
    ...(failure !== undefined && { failure }),
    ...(usage !== undefined && { usage: tokensOf(usage) }),
    ...(costUsd !== undefined && { costUsd }),
    ...(costSource !== undefined && { costSource }),
    ...(durationMs !== undefined && { durationMs }),
  };
}
