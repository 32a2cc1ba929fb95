import { availableParallelism } from "node:os";
import { createRandom, type Random } from "./random.js";

/** The result of one try. */
export interface Attempt {
  /** What was wrong: the outcome, the exit code, the recording. Empty if nothing was. */
  problems: string[];
  eventsLost: number;
  processesLeft: number;
  /** The time until no process was left, if it was measured. */
  reapedMs?: number;
}

/** A deliberate failure. */
export interface Fault {
  /** Its name in the table. */
  name: string;
  times: number;
  /** The number of parallel tries. Default: four per processor. */
  atOnce?: number;
  attempt(index: number, random: Random): Promise<Attempt>;
  /** Why it cannot be tried here. */
  skipped?: string | undefined;
}

/** A row of the table. */
export interface Row {
  name: string;
  tried: number;
  survived: number;
  eventsLost: number;
  processesLeft: number;
  slowestMs?: number;
  skipped?: string;
  /** For debugging: what went wrong, and in which try. */
  problems: string[];
}

/** All random numbers of the suite derive from this seed. */
export const seed = Number(process.env["HARNESS_FAULT_SEED"] ?? 1);

/** Tries a fault `times` times. A try depends on the seed only, not on parallel tries. */
export async function tryFault(fault: Fault): Promise<Row> {
  const attempts: Attempt[] = [];
  const waiting = Array.from({ length: fault.times }, (_value, index) => index);
  async function work(): Promise<void> {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      attempts[index] = await tryOnce(fault, index);
    }
  }
  const atOnce = fault.atOnce ?? 4 * availableParallelism();
  await Promise.all(Array.from({ length: Math.min(atOnce, fault.times) }, work));
  return toRow(fault, attempts);
}

async function tryOnce(fault: Fault, index: number): Promise<Attempt> {
  const random = createRandom(seed * 1_000_003 + hash(fault.name) + index);
  try {
    return await fault.attempt(index, random);
  } catch (error) {
    return { problems: [String(error)], eventsLost: 0, processesLeft: 0 };
  }
}

function toRow({ name, skipped }: Fault, attempts: readonly Attempt[]): Row {
  const sum = (read: (attempt: Attempt) => number): number =>
    attempts.reduce((total, attempt) => total + read(attempt), 0);
  const times = attempts.flatMap((attempt) => attempt.reapedMs ?? []);
  return {
    name,
    tried: attempts.length,
    survived: attempts.filter((attempt) => attempt.problems.length === 0).length,
    eventsLost: sum((attempt) => attempt.eventsLost),
    processesLeft: sum((attempt) => attempt.processesLeft),
    ...(times.length > 0 && { slowestMs: Math.max(...times) }),
    ...(skipped !== undefined && { skipped }),
    problems: attempts.flatMap((attempt, index) =>
      attempt.problems.map((problem) => `${name}, try ${index}: ${problem}`),
    ),
  };
}

function hash(text: string): number {
  return Array.from(text).reduce((value, character) => Math.imul(value, 31) + character.charCodeAt(0), 7);
}
