import { setImmediate as nextTurn } from "node:timers/promises";
import { HarnessError } from "../errors.js";
import { isDeliveryOver } from "../process/turns.js";
import type { StepBatch } from "./recording/step-batch.js";

/** Roughly what a step costs in memory besides its line. A flood of short lines needs memory too. */
const stepWeight = 500;
const fullAt = 4 * 1024 * 1024;
const overfullAt = 4 * fullAt;
const emptyAt = fullAt / 4;

/**
 * How far the reader is behind. `full`: standard output is not read. `overfull`: standard error is not read either.
 */
export type Pressure = "none" | "full" | "overfull";

/** Which pipes are not read then. */
export const pausedBy = { none: "nothing", full: "stdout", overfull: "both" } as const satisfies Record<
  Pressure,
  string
>;

export interface Delivery {
  /** Hands over what one chunk gave. `bytes`: the size of the chunk. */
  publish(batch: StepBatch, bytes: number): void;
  /** Nothing more will come. */
  finish(): void;
  /** The one iteration of the run. */
  batches(): AsyncIterableIterator<StepBatch>;
}

/**
 * Brings batches to whoever iterates the run. Memory stays bounded: `onPressure` says how far the reader is behind, so
 * that the agent is slowed down. Without a reader only the beginning is kept, for one that comes a little later.
 */
export function createDelivery(onPressure: (pressure: Pressure) => void): Delivery {
  let queue: { batch: StepBatch; weight: number }[] = [];
  let weight = 0;
  /** Bytes read of a line that has not ended yet: a long line counts all of its chunks. */
  let unfinished = 0;
  let pressure: Pressure = "none";
  let isFinished = false;
  let reader: "none yet" | "reading" | "gone" | "too late" = "none yet";
  const readers = createWaiting();
  const turns = createTurns();

  function publish(batch: StepBatch, bytes: number): void {
    if (reader === "gone" || reader === "too late") return;
    unfinished += bytes;
    if (batch.steps.length === 0) return;
    const added = unfinished + batch.steps.length * stepWeight;
    unfinished = 0;
    queue.push({ batch, weight: added });
    weight += added;
    readers.wake();
    if (weight < fullAt) return;
    if (reader === "none yet") forget("too late");
    else setPressure(weight < overfullAt ? "full" : "overfull");
  }

  function setPressure(now: Pressure): void {
    if (pressure === now) return;
    pressure = now;
    onPressure(now);
  }

  function forget(now: "gone" | "too late"): void {
    reader = now;
    queue = [];
    weight = 0;
    setPressure("none");
  }

  async function next(): Promise<IteratorResult<StepBatch, undefined>> {
    const end = queue.length === 0 ? undefined : turns.end();
    if (end !== undefined) await end;
    for (;;) {
      const taken = queue.shift();
      if (taken !== undefined) {
        weight -= taken.weight;
        if (weight <= emptyAt) setPressure("none");
        return { done: false, value: taken.batch };
      }
      if (isFinished || reader === "gone") return { done: true, value: undefined };
      await readers.wait();
    }
  }

  return {
    publish,
    finish() {
      isFinished = true;
      readers.wake();
    },
    batches() {
      if (reader === "too late") throw notKept();
      if (reader !== "none yet") throw alreadyIterated();
      reader = "reading";
      return {
        next,
        async return() {
          forget("gone");
          readers.wake();
          return { done: true, value: undefined };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}

/** Readers that wait for the next batch. They are woken in the order they asked. */
function createWaiting(): { wait(): Promise<void>; wake(): void } {
  let waiting: (() => void)[] = [];
  return {
    wait: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
      }),
    wake() {
      const woken = waiting;
      waiting = [];
      for (const go of woken) go();
    },
  };
}

/** Without this, a reader that never waits would drain the queue before signals and timers get their turn. */
function createTurns(): { end(): Promise<void> | undefined } {
  let turning: Promise<void> | undefined;
  return {
    end() {
      if (turning === undefined && !isDeliveryOver()) return undefined;
      turning ??= nextTurn().then(() => {
        turning = undefined;
      });
      return turning;
    },
  };
}

function notKept(): HarnessError {
  const message =
    "nobody read the first events of this run, and they were dropped to save memory; iterate it right after run(), or replay its recording";
  return new HarnessError("events_not_kept", message);
}

function alreadyIterated(): HarnessError {
  return new HarnessError(
    "already_iterated",
    "a run can be iterated once; replay its recording to see it again",
  );
}
