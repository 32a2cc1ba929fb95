import type { HarnessEvent } from "../events/event.js";
import type { Step } from "../events/step.js";
import type { StepBatch } from "./recording/step-batch.js";

/**
 * The events of a run one by one. Ending this iteration also ends the iteration of the batches. It is not an async generator,
 * because that takes three microtasks for an event that is already there.
 */
export function eventsOf(
  batches: AsyncIterableIterator<Pick<StepBatch, "steps">>,
): AsyncIterableIterator<HarnessEvent, undefined> {
  let events: readonly HarnessEvent[] = [];
  let at = 0;
  /** How many calls of `next` wait for an answer. They are answered in order. */
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  function next(): Promise<IteratorResult<HarnessEvent, undefined>> {
    const event = waiting === 0 ? events[at] : undefined;
    if (event === undefined) return wait();
    at += 1;
    return Promise.resolve({ done: false, value: event });
  }

  function wait(): Promise<IteratorResult<HarnessEvent, undefined>> {
    waiting += 1;
    const answer = last.then(nextOfBatches).finally(() => {
      waiting -= 1;
    });
    last = answer.catch(() => undefined);
    return answer;
  }

  async function nextOfBatches(): Promise<IteratorResult<HarnessEvent, undefined>> {
    for (;;) {
      const event = events[at];
      if (event !== undefined) {
        at += 1;
        return { done: false, value: event };
      }
      const { done, value } = await batches.next();
      if (done) return { done, value: undefined };
      events = flatten(value.steps);
      at = 0;
    }
  }

  return {
    next,
    async return() {
      events = [];
      await batches.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A plain loop, because this runs for every chunk that an agent prints. */
function flatten(steps: readonly Step[]): readonly HarnessEvent[] {
  const [only, second] = steps;
  if (only !== undefined && second === undefined) return only.events;
  const events: HarnessEvent[] = [];
  for (const step of steps) for (const event of step.events) events.push(event);
  return events;
}

/** The steps of a run, in arrays as they came. */
export function stepsOf(
  batches: AsyncIterableIterator<Pick<StepBatch, "steps">>,
): AsyncIterableIterator<readonly Step[], undefined> {
  return {
    async next() {
      const { done, value } = await batches.next();
      return done ? { done, value: undefined } : { done: false, value: value.steps };
    },
    async return() {
      await batches.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
