import { expect, it } from "vitest";
import { createSharedLook } from "../../src/process/shared-look.js";

/** A look that ends when it is told to. */
function createControlledLook() {
  const finish: ((value: number) => void)[] = [];
  const look = createSharedLook(
    () =>
      new Promise<number>((resolve) => {
        finish.push(resolve);
      }),
  );
  return { look, finish };
}

it("gives those who ask during a look the next one, all the same", async () => {
  const { look, finish } = createControlledLook();
  const first = look();
  const [second, third] = [look(), look()];
  expect(finish).toHaveLength(1);
  finish[0]?.(1);
  expect(await first).toBe(1);
  await Promise.resolve();
  const fourth = look();
  expect(finish).toHaveLength(2);
  finish[1]?.(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  finish[2]?.(3);
  expect(await fourth).toBe(3);
});

it("looks again when nobody is looking", async () => {
  const { look, finish } = createControlledLook();
  for (const value of [1, 2]) {
    const asked = look();
    finish[value - 1]?.(value);
    expect(await asked).toBe(value);
  }
});

it("goes on after a look that failed", async () => {
  let looks = 0;
  const look = createSharedLook(async () => {
    looks += 1;
    if (looks === 1) throw new Error("no /proc");
    return looks;
  });
  const [first, second] = [look(), look()];
  await expect(first).rejects.toThrow("no /proc");
  expect(await second).toBe(2);
});
