import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryDelay } from "../../src/batch/retries.js";
import { type FailureKind, failureKinds } from "../../src/events/failure.js";

const now = new Date("2026-01-01T00:00:00.000Z");
const passing: readonly FailureKind[] = ["rate_limit", "provider", "network", "stalled"];

function delay(kind: FailureKind, attempt: number, random = 0.5, retryAt?: string): number | undefined {
  const failure = { kind, message: "no", ...(retryAt !== undefined && { retryAt }) };
  return retryDelay(failure, attempt, now, () => random);
}

describe("the delay before another attempt", () => {
  it.each(failureKinds)("after %s", (kind) => {
    if (passing.includes(kind)) expect(delay(kind, 1)).toBeGreaterThan(0);
    else expect(delay(kind, 1)).toBeUndefined();
  });

  it("doubles, up to five minutes, and is drawn between a half and the whole", () => {
    expect([1, 2, 3, 4].map((attempt) => delay("provider", attempt, 1))).toEqual([
      4000, 8000, 16_000, 32_000,
    ]);
    expect(delay("provider", 1, 0)).toBe(2000);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, random) => {
          const ms = delay("rate_limit", attempt, random) ?? -1;
          expect(ms).toBeGreaterThanOrEqual(7500);
          expect(ms).toBeLessThanOrEqual(300_000);
        },
      ),
    );
  });

  it("waits for the end of a limit, and at most a day", () => {
    expect(delay("rate_limit", 1, 0, "2026-01-01T01:00:00.000Z")).toBe(3_600_000);
    expect(delay("rate_limit", 1, 1, "2026-01-01T01:00:00.000Z")).toBe(3_603_000);
    expect(delay("rate_limit", 1, 0, "2027-01-01T00:00:00.000Z")).toBe(24 * 3_600_000);
  });

  it("is the usual one if the end of the limit has passed or makes no sense", () => {
    expect(delay("rate_limit", 1, 1, "2025-12-31T00:00:00.000Z")).toBe(15_000);
    expect(delay("rate_limit", 1, 1, "soon")).toBe(15_000);
  });
});
