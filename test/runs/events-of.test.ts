import fc from "fast-check";
import { expect, it } from "vitest";
import type { HarnessEvent } from "../../src/events/event.js";
import type { Step } from "../../src/events/step.js";
import { eventsOf } from "../../src/runs/events-of.js";

function event(seq: number): HarnessEvent {
  return { type: "agent", timestamp: "2026-01-01T00:00:00.000Z", runId: "r", seq, message: "" };
}

/** Batches of so many steps with so many events each, numbered, some of them late. */
async function* batchesOf(shape: readonly (readonly number[])[]): AsyncGenerator<{ steps: readonly Step[] }> {
  let seq = 0;
  for (const steps of shape) {
    if (seq % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
    yield { steps: steps.map((count) => ({ events: Array.from({ length: count }, () => event(seq++)) })) };
  }
}

const shapes = fc.array(fc.array(fc.nat(3), { maxLength: 4 }), { maxLength: 6 });

it("gives every event once and in order, whatever the batches", async () => {
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const seen: number[] = [];
      for await (const { seq } of eventsOf(batchesOf(shape))) seen.push(seq);
      expect(seen).toEqual([...Array(shape.flat().reduce((sum, count) => sum + count, 0)).keys()]);
    }),
  );
});

it("answers readers in the order they asked, also those that do not wait for an answer", async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes,
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
      async (shape, turns) => {
        const iterator = eventsOf(batchesOf(shape));
        const seen: (number | undefined)[] = [];
        for (const asked of turns) {
          const asking = Array.from({ length: asked }, () => iterator.next());
          const first = await asking[0];
          asking.push(iterator.next());
          seen.push(...[first, ...(await Promise.all(asking.slice(1)))].map((answer) => answer?.value?.seq));
        }
        const known = seen.filter((seq) => seq !== undefined);
        expect(known).toEqual([...known.keys()]);
      },
    ),
  );
});

it("ends the batches when its reader leaves", async () => {
  let hasEnded = false;
  async function* batches(): AsyncGenerator<{ steps: readonly Step[] }> {
    try {
      for (let seq = 0; ; seq++) yield { steps: [{ events: [event(seq)] }] };
    } finally {
      hasEnded = true;
    }
  }
  for await (const { seq } of eventsOf(batches())) if (seq === 3) break;
  expect(hasEnded).toBe(true);
});
