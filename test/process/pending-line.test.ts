import { expect, it } from "vitest";
import { createLineSplitter } from "../../src/process/line-splitter.js";
import { createPendingLine } from "../../src/process/pending-line.js";

const megabyte = 1024 * 1024;

it.each([0.5, 0.99, 1, 1.01, 3, 9])("holds %d MB up to the cap, however they are chunked", (size) => {
  const whole = Buffer.alloc(size * megabyte, "0123456789");
  const cap = 5 * megabyte;
  for (const step of [4001, 65_536, 3 * megabyte]) {
    const line = createPendingLine(cap);
    for (let at = 0; at < whole.length; at += step) line.add(whole.subarray(at, at + step));
    expect(line.head().equals(whole.subarray(0, cap))).toBe(true);
    expect(line.droppedBytes).toBe(Math.max(0, whole.length - cap));
    line.clear();
    expect(line.isEmpty).toBe(true);
  }
});

// The kernel updates memory counters with a delay, and other pages may come and go meanwhile.
it("releases the memory of a long line at once", { retry: 3 }, () => {
  const line = createPendingLine(64 * megabyte);
  const before = process.memoryUsage.rss();
  const chunk = Buffer.alloc(megabyte, "x");
  for (let count = 0; count < 48; count++) line.add(chunk);
  expect(process.memoryUsage.rss() - before).toBeGreaterThan(30 * megabyte);
  line.clear();
  expect(process.memoryUsage.rss() - before).toBeLessThan(30 * megabyte);
});

it("returns a short line after a long one", () => {
  const lines: string[] = [];
  const splitter = createLineSplitter({ onLine: (text) => lines.push(text) });
  const long = "ä".repeat(megabyte);
  for (const text of ["a", "b\n", long, `${long}\n`, "c", "d"]) splitter.push(Buffer.from(text));
  splitter.end();
  expect(lines).toEqual(["ab", long + long, "cd"]);
});

it("holds lines of all lengths one after the other", () => {
  const line = createPendingLine(64 * megabyte);
  for (const size of [1.5, 0.2, 1.2, 6, 0.9, 2, 3.5, 0.001, 5]) {
    const whole = Buffer.alloc(size * megabyte, `${size}`);
    for (let at = 0; at < whole.length; at += 65_536) line.add(whole.subarray(at, at + 65_536));
    expect(line.head().equals(whole)).toBe(true);
    line.clear();
  }
});
