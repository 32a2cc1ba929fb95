import { describe, expect, it } from "vitest";
import { createRecent } from "../../src/text/recent.js";

describe("createRecent", () => {
  it("remembers at least so many values, and at most twice as many", () => {
    const recent = createRecent<number, string | undefined>(10);
    for (let key = 0; key < 100; key++) recent.set(key, `${key}`);
    const known = [...Array(100).keys()].filter((key) => recent.has(key));
    expect(known).toEqual(expect.arrayContaining([90, 91, 92, 93, 94, 95, 96, 97, 98, 99]));
    expect(known.length).toBeLessThanOrEqual(20);
    expect(recent.get(99)).toBe("99");
    expect(recent.get(0)).toBeUndefined();
  });

  it("forgets a key in both generations", () => {
    const recent = createRecent<string, number>(2);
    for (const key of ["a", "b", "a", "c"]) recent.set(key, 1);
    expect(recent.delete("a")).toBe(true);
    expect(recent.has("a")).toBe(false);
    expect(recent.delete("a")).toBe(false);
  });

  it("has a value that is undefined", () => {
    const recent = createRecent<string, undefined>();
    recent.set("a", undefined);
    expect(recent.has("a")).toBe(true);
  });
});
