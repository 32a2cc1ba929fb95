import { setImmediate as nextTurn } from "node:timers/promises";
import { HarnessError } from "../errors.js";
import { isTurnOver } from "../process/turns.js";
import type { Batch } from "./batch.js";

/** What a step costs in memory besides its line, roughly; a flood of short lines weighs too. */
const stepWeight = 500;
const fullAt = 4 * 1024 * 1024;
const overfullAt = 4 * fullAt;
const emptyAt = fullAt / 4;

/**
 * How far the reader is behind. `full`: standard output waits for it. `overfull`: standard error, which
 * is read as long as possible, has to wait too.
 */
export type Pressure = "none" | "full" | "overfull";

export interface Delivery {
  /** Hands over what one chunk gave. `bytes`: the size of the chunk. */
  publish(batch: Batch, bytes: number): void;
  /** Nothing more will come. */
  finish(): void;
  /** The one iteration of the run. */
  batches(): AsyncIterableIterator<Batch>;
}

/**
 * Brings batches to whoever iterates the run. Memory stays bounded: `onPressure` says how far the reader is behind, so
 * that the agent is slowed down. Without a reader only the beginning is kept, for one that comes a little later.
 */
export function createDelivery(onPressure: (pressure: Pressure) => void): Delivery {
  let queue: { batch: Batch; weight: number }[] = [];
  let weight = 0;
  /** Read, but of lines that had not ended: a long line weighs all of its chunks. */
  let unfinished = 0;
  let pressure: Pressure = "none";
  let isFinished = false;
  let reader: "none yet" | "reading" | "gone" | "too late" = "none yet";
  /** Readers that wait for the next batch, the first of them first. */
  let waiting: (() => void)[] = [];
  let turning: Promise<void> | undefined;

  function publish(batch: Batch, bytes: number): void {
    if (reader === "gone" || reader === "too late") return;
    unfinished += bytes;
    if (batch.steps.length === 0) return;
    const added = unfinished + batch.steps.length * stepWeight;
    unfinished = 0;
    queue.push({ batch, weight: added });
    weight += added;
    wake();
    if (weight < fullAt) return;
    if (reader === "none yet") forget("too late");
    else setPressure(weight < overfullAt ? "full" : "overfull");
  }

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
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

  /** A reader that never waits would take all there is before signals and timers have their turn. */
  function endOfTurn(): Promise<void> | undefined {
    if (queue.length === 0 || (turning === undefined && !isTurnOver())) return undefined;
    turning ??= nextTurn().then(() => {
      turning = undefined;
    });
    return turning;
  }

  async function next(): Promise<IteratorResult<Batch, undefined>> {
    const end = endOfTurn();
    if (end !== undefined) await end;
    for (;;) {
      const taken = queue.shift();
      if (taken !== undefined) {
        weight -= taken.weight;
        if (weight <= emptyAt) setPressure("none");
        return { done: false, value: taken.batch };
      }
      if (isFinished || reader === "gone") return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    }
  }

  return {
    publish,
    finish() {
      isFinished = true;
      wake();
    },
    batches() {
      if (reader === "too late") throw notKept();
      if (reader !== "none yet") throw alreadyIterated();
      reader = "reading";
      return {
        next,
        async return() {
          forget("gone");
          wake();
          return { done: true, value: undefined };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}

function notKept(): HarnessError {
  const message =
    "the run went on for long without a reader, and its first events are no longer held; iterate it right after run(), or replay its recording";
  return new HarnessError("events_not_kept", message);
}

function alreadyIterated(): HarnessError {
  return new HarnessError(
    "already_iterated",
    "a run can be iterated once; replay its recording to see it again",
  );
}
