import type { JobOutcome, RunJob } from "./job.js";
import type { JobLane } from "./lanes.js";

export interface OrderedRun<Given> {
  lanes: readonly JobLane<Given>[];
  /** Prints a part of what the job printed. The next part waits for it. */
  print(job: RunJob<Given>, bytes: Uint8Array): Promise<void> | undefined;
  /** The job is done, and all of it was printed. */
  finish(job: RunJob<Given>, outcome: JobOutcome): void;
  /** Nothing more is printed, and no job begins. Jobs that are under way end with their lanes. */
  signal: AbortSignal;
  /** How many bytes may wait for their turn. */
  heldBytes?: number;
}

/** What one lane may have waiting, on average. Logs whose output is longer wait for each other. */
const heldBytesPerLane = 32 * 1024 * 1024;
/** How many jobs may be done before their turn. */
const mostAhead = 16_384;

interface Slot {
  waiting: Uint8Array[];
  /** How many parts there have been, and how many were printed. */
  put: number;
  printed: number;
  outcome?: JobOutcome;
}

/**
 * Carries out jobs in all lanes at the same time, and prints them in their order. A job begins as soon as a lane is free. What it
 * prints before its turn waits in memory, up to a limit; beyond that, the job itself waits, in its lane. The job whose turn it is
 * never waits for others.
 */
export async function runInOrder<Given>(
  jobs: readonly RunJob<Given>[],
  { lanes, print, finish, signal, heldBytes = lanes.length * heldBytesPerLane }: OrderedRun<Given>,
): Promise<void> {
  const slots = new Map<number, Slot>();
  const changes = createGate(signal);
  let next = 0;
  let turn = 0;
  let held = 0;

  function put(slot: Slot, bytes: Uint8Array): Promise<void> | undefined {
    slot.waiting.push(bytes);
    slot.put += 1;
    held += bytes.length;
    changes.open();
    const part = slot.put;
    return held <= heldBytes
      ? undefined
      : changes.until(() => held <= heldBytes || slot.printed >= part || signal.aborted);
  }

  async function work(lane: JobLane<Given>): Promise<void> {
    for (;;) {
      if (next - turn >= mostAhead) await changes.until(() => next - turn < mostAhead || signal.aborted);
      const index = next;
      const job = jobs[index];
      if (job === undefined || signal.aborted) return;
      next += 1;
      const slot: Slot = { waiting: [], put: 0, printed: 0 };
      slots.set(index, slot);
      slot.outcome = await lane.run(job, (bytes) => put(slot, bytes));
      changes.open();
    }
  }

  async function printOne(job: RunJob<Given>, slot: Slot): Promise<void> {
    for (;;) {
      if (slot.waiting.length === 0 && slot.outcome === undefined)
        await changes.until(() => slot.waiting.length > 0 || slot.outcome !== undefined || signal.aborted);
      const bytes = slot.waiting.shift();
      if (bytes === undefined || signal.aborted) return;
      await print(job, bytes);
      held -= bytes.length;
      slot.printed += 1;
      changes.open();
    }
  }

  async function printAllJobs(): Promise<void> {
    for (const [index, job] of jobs.entries()) {
      await changes.until(() => slots.has(index) || signal.aborted);
      const slot = slots.get(index);
      if (slot !== undefined) await printOne(job, slot);
      if (signal.aborted) return;
      if (slot?.outcome !== undefined) finish(job, slot.outcome);
      slots.delete(index);
      turn = index + 1;
      changes.open();
    }
  }

  await Promise.all([printAllJobs(), ...lanes.map(work)]);
}

interface Gate {
  /** Something has changed: those who wait look again. */
  open(): void;
  until(isSo: () => boolean): Promise<void>;
}

function createGate(signal: AbortSignal): Gate {
  let waiting: (() => void)[] = [];
  function open(): void {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }
  signal.addEventListener("abort", open);
  return {
    open,
    async until(isSo) {
      while (!isSo())
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
    },
  };
}
