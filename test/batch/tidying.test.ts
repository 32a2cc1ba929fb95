import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createTidying } from "../../src/batch/tidying.js";

/** Work that ends when it is let go. */
function heldWork() {
  const order: string[] = [];
  const release = new Map<string, () => void>();
  const work = (name: string) => (): Promise<void> => {
    order.push(`${name} begins`);
    return new Promise((resolve) => {
      release.set(name, () => {
        order.push(`${name} ends`);
        resolve();
      });
    });
  };
  return { order, work, release: (name: string) => release.get(name)?.() };
}

it("does not make the caller wait for the work", async () => {
  const { order, work } = heldWork();
  await createTidying(2).add(work("a"));
  expect(order).toEqual(["a begins"]);
});

it("begins no more work at once than it may", async () => {
  const { order, work, release } = heldWork();
  const tidying = createTidying(2);
  await Promise.all([tidying.add(work("a")), tidying.add(work("b"))]);
  const third = tidying.add(work("c"));
  const fourth = tidying.add(work("d"));
  await nextTurn();
  expect(order).toEqual(["a begins", "b begins"]);
  release("a");
  await third;
  await nextTurn();
  expect(order).toEqual(["a begins", "b begins", "a ends", "c begins"]);
  release("b");
  await fourth;
  expect(order.at(-1)).toBe("d begins");
});

it("finishes when the last work has ended, whether or not it could be done", async () => {
  const { order, work, release } = heldWork();
  const tidying = createTidying(2);
  await tidying.add(() => Promise.reject(new Error("the disk refuses it")));
  await tidying.add(work("a"));
  const finished = tidying.finish().then(() => order.push("finished"));
  await nextTurn();
  release("a");
  await finished;
  expect(order).toEqual(["a begins", "a ends", "finished"]);
});
