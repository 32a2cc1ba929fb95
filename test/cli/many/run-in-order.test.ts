import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JobOutcome, RunJob } from "../../../src/cli/many/job.js";
import type { JobLane, TakeBytes } from "../../../src/cli/many/lanes.js";
import { runInOrder } from "../../../src/cli/many/run-in-order.js";

const done: JobOutcome = { complaints: [], files: 0, bytes: 0, isUnwritten: false };
const toJob = (name: string): RunJob<string> => ({ name, given: name, files: [] });
const toLane = (run: (name: string, take: TakeBytes) => Promise<void>): JobLane<string> => ({
  async run(job, take) {
    await run(job.name, take);
    return done;
  },
  close: () => Promise.resolve(),
});
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe("jobs in several lanes", () => {
  it("are printed in their order, whichever is done first", async () => {
    const printed: string[] = [];
    const jobs = Array.from({ length: 50 }, (_, index) => toJob(String(index)));
    // The lanes take turns of different length.
    const lane = (pause: number): JobLane<string> =>
      toLane(async (name, take) => {
        for (let part = 0; part < 3; part++) {
          for (let rest = pause; rest > 0; rest--) await turn();
          await take(Buffer.from(`${name}.${part}`));
        }
      });
    await runInOrder(jobs, {
      lanes: [lane(0), lane(3), lane(7)],
      print: (_job, bytes) => void printed.push(text(bytes)),
      finish: ({ name }) => void printed.push(`end of ${name}`),
      signal: new AbortController().signal,
    });
    expect(printed).toEqual(
      jobs.flatMap(({ name }) => [`${name}.0`, `${name}.1`, `${name}.2`, `end of ${name}`]),
    );
  });

  it("wait once too much waits for its turn, and the one whose turn it is never does", async () => {
    let taken = 0;
    let most = 0;
    let printed = 0;
    const produce = async (_name: string, take: TakeBytes): Promise<void> => {
      for (let part = 0; part < 100; part++) {
        taken += 1;
        most = Math.max(most, taken - printed);
        await take(Buffer.alloc(10));
      }
    };
    await runInOrder(["a", "b", "c", "d"].map(toJob), {
      lanes: [toLane(produce), toLane(produce), toLane(produce)],
      heldBytes: 100,
      async print() {
        // A slow reader.
        await turn();
        printed += 1;
      },
      finish: () => undefined,
      signal: new AbortController().signal,
    });
    expect(printed).toBe(400);
    // Ten parts are within the limit; beyond it, each lane has one that waits.
    expect(most).toBeLessThanOrEqual(10 + 3 + 1);
  });

  it("end at once when they are stopped, and no more begin", async () => {
    const stop = new AbortController();
    const begun: string[] = [];
    const lane = toLane(async (name, take) => {
      begun.push(name);
      await take(Buffer.from(name));
    });
    await runInOrder(["a", "b", "c", "d", "e"].map(toJob), {
      lanes: [lane],
      heldBytes: 0,
      print: async () => stop.abort(),
      finish: () => undefined,
      signal: stop.signal,
    });
    expect(begun).toEqual(["a"]);
  });
});
