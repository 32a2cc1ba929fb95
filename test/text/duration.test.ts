import { expect, it } from "vitest";
import { parseDuration } from "../../src/text/duration.js";

it.each([
  ["90s", 90_000],
  ["10m", 600_000],
  ["1h30m", 5_400_000],
  ["1h 30m", 5_400_000],
  ["1.5h", 5_400_000],
  ["500ms", 500],
  ["2d", 172_800_000],
  ["90", 90_000],
  [90, 90_000],
  [0.5, 500],
])("%j is %d milliseconds", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

it.each([
  "",
  " ",
  "soon",
  "10 minutes",
  "m",
  "-5m",
  "0",
  "0s",
  "5m1h",
  "5m5m",
  "1h!",
  "1e3",
  "Infinity",
  Number.NaN,
  -1,
  0,
])("%j is not a length of time", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
