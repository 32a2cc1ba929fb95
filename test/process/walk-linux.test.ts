import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { createSharedScan, walkNewProcesses, walkProcesses } from "../../src/process/walk-linux.js";

/** A shared scan that ends on command. */
function createControlledScan() {
  const finish: ((value: number) => void)[] = [];
  const scan = createSharedScan(
    () =>
      new Promise<number>((resolve) => {
        finish.push(resolve);
      }),
  );
  return { scan, finish };
}

it("gives all callers during a scan the result of the next one", async () => {
  const { scan, finish } = createControlledScan();
  const first = scan();
  const [second, third] = [scan(), scan()];
  expect(finish).toHaveLength(1);
  finish[0]?.(1);
  expect(await first).toBe(1);
  await Promise.resolve();
  const fourth = scan();
  expect(finish).toHaveLength(2);
  finish[1]?.(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  finish[2]?.(3);
  expect(await fourth).toBe(3);
});

it("scans again when no scan is running", async () => {
  const { scan, finish } = createControlledScan();
  for (const value of [1, 2]) {
    const asked = scan();
    finish[value - 1]?.(value);
    expect(await asked).toBe(value);
  }
});

it("continues after a scan that failed", async () => {
  let scans = 0;
  const scan = createSharedScan(async () => {
    scans += 1;
    if (scans === 1) throw new Error("no /proc");
    return scans;
  });
  const [first, second] = [scan(), scan()];
  await expect(first).rejects.toThrow("no /proc");
  expect(await second).toBe(2);
});

it.runIf(process.platform === "linux")(
  "leaves out processes that were there before us, and no others",
  async () => {
    const child = spawn("sleep", ["60"]);
    try {
      for (let walk = 0; walk < 2; walk++) {
        const [all, fresh]: [number[], number[]] = [[], []];
        await walkProcesses((pid) => void all.push(pid));
        await walkNewProcesses((pid) => void fresh.push(pid));
        expect(all).toEqual(expect.arrayContaining([1, process.ppid, process.pid, child.pid]));
        expect(fresh).toEqual(expect.arrayContaining([process.pid, child.pid]));
        expect(fresh).not.toContain(1);
        expect(fresh).not.toContain(process.ppid);
      }
    } finally {
      child.kill("SIGKILL");
    }
  },
);

it.runIf(process.platform === "linux")(
  "lets others have a turn soon, however long a visit takes",
  async () => {
    let visited = 0;
    const counts: number[] = [];
    let isWalking = true;
    const look = (): void => {
      counts.push(visited);
      if (isWalking) setImmediate(look);
    };
    setImmediate(look);
    await walkProcesses(() => {
      visited += 1;
      const until = performance.now() + 1;
      while (performance.now() < until);
    });
    isWalking = false;
    const steps = counts.map((count, index) => count - (counts[index - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(5);
  },
);
