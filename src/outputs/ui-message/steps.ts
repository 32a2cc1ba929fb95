import type { UiMessageChunk } from "./schema.js";

/**
 * The steps of a message. A step is what the model said and called at once, and what the calls gave. The events do not say where one
 * answer of the model ends, so the next step begins when the main agent goes on after all of its calls have ended.
 */
export interface MessageSteps {
  /** Before a part that belongs to a step. `isMain`: the main agent's own. */
  enter(isMain: boolean): UiMessageChunk[];
  callBegan(): void;
  callEnded(): void;
  /** Ends the step, if there is one. */
  leave(): UiMessageChunk[];
}

export function createMessageSteps(): MessageSteps {
  let isInside = false;
  let hasResults = false;
  let running = 0;

  function leave(): UiMessageChunk[] {
    if (!isInside) return [];
    isInside = false;
    hasResults = false;
    return [{ type: "finish-step" }];
  }

  return {
    enter(isMain) {
      const before = isMain && hasResults && running === 0 ? leave() : [];
      if (isInside) return before;
      isInside = true;
      return [...before, { type: "start-step" }];
    },
    callBegan() {
      running += 1;
    },
    callEnded() {
      running -= 1;
      hasResults = true;
    },
    leave,
  };
}
