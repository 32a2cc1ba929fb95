import type { Step } from "../recording/step.js";
import type { HarnessEvent } from "../vocabulary/event.js";

/** The events of a run one by one. Ending the iteration ends that of the batches. */
export async function* eventsOf(
  batches: AsyncIterable<readonly Step[]>,
): AsyncGenerator<HarnessEvent, void, undefined> {
  for await (const steps of batches) for (const step of steps) yield* step.events;
}
