import type { SentNote } from "../agents/live-contract.js";
import { createSteps } from "../agents/steps.js";
import type { HarnessEvent } from "../events/event.js";
import type { RawRecord } from "../events/raw-record.js";
import type { Step } from "../events/step.js";
import type { SessionPlan } from "./plan-session.js";

/**
 * The events that a session acts on. It acts when a piece of output has been read whole: not before the peer has seen its
 * lines. If secrets are masked, the session must still decide by what the agent really asks, so it translates the unmasked
 * lines for itself.
 */
export interface ObservedEvents {
  /** What was published to the recording and the reader. */
  published(steps: readonly Step[]): void;
  /** A line that the agent sent, before secrets are masked. */
  received(line: string): void;
  /** A line that was sent to it. */
  sent(line: string, note: SentNote): void;
  /** Runs what reads a piece of output. */
  reading(read: () => void): void;
}

export function createObservedEvents(
  { agent, cwd, redactor, live }: SessionPlan,
  now: () => string,
  act: (event: HarnessEvent) => void,
): ObservedEvents {
  const unmasked =
    redactor === undefined || agent.live === undefined || live === undefined
      ? undefined
      : createSteps(agent, { cwd, live });
  const waiting: HarnessEvent[] = [];
  let depth = 0;

  /** Acting may cause more events: they come after those that wait already. */
  function actOnAll(): void {
    if (depth > 0) return;
    depth += 1;
    try {
      for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) act(event);
    } finally {
      depth -= 1;
    }
  }

  function observe(steps: readonly Step[]): void {
    for (const step of steps) waiting.push(...step.events);
    actOnAll();
  }

  function observeRecord(record: RawRecord): void {
    if (unmasked !== undefined) observe(unmasked.pushAll([record]));
  }

  return {
    published(steps) {
      if (unmasked === undefined) observe(steps);
    },
    received: (line) => observeRecord({ timestamp: now(), stream: "stdout", line }),
    sent: (line, note) => observeRecord({ timestamp: now(), stream: "sent", line, ...note }),
    reading(read) {
      depth += 1;
      try {
        read();
      } finally {
        depth -= 1;
      }
      actOnAll();
    },
  };
}
