import { expect, it } from "vitest";
import { lostEveryTime } from "../../bench/lost-every-time.mjs";

async function lostIn(...measurements: Record<string, number>[]) {
  let measured = 0;
  const measure = async () =>
    Object.entries(measurements[measured++] ?? {}).map(([key, ratio]) => ({ key, ratio }));
  const lost = await lostEveryTime({ measure, isLost: ({ ratio }) => ratio < 1, attempts: 3 });
  return { measured, lost: lost.map(({ key }) => key) };
}

it("a ratio that is worse every time is lost", async () => {
  expect(await lostIn({ a: 0, b: 2 }, { a: 0, b: 2 }, { a: 0, b: 2 })).toEqual({ measured: 3, lost: ["a"] });
});

it("ratios that are worse in turn are noise, and end the measurement", async () => {
  expect(await lostIn({ a: 0, b: 2 }, { a: 2, b: 0 }, { a: 0, b: 2 })).toEqual({ measured: 2, lost: [] });
});

it("good ratios are measured once", async () => {
  expect(await lostIn({ a: 2 }, { a: 0 })).toEqual({ measured: 1, lost: [] });
});
