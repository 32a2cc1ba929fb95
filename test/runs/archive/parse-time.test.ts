import { expect, it } from "vitest";
import { parseTime } from "../../../src/runs/archive/parse-time.js";

const now = new Date("2026-11-15T12:00:00.000Z");

it.each([
  ["90s", "2026-11-15T11:58:30.000Z"],
  ["45m", "2026-11-15T11:15:00.000Z"],
  ["2h", "2026-11-15T10:00:00.000Z"],
  ["1.5h", "2026-11-15T10:30:00.000Z"],
  ["3d", "2026-11-12T12:00:00.000Z"],
  ["1w", "2026-11-08T12:00:00.000Z"],
  [" 0s ", "2026-11-15T12:00:00.000Z"],
  ["2026-11-15T10:30Z", "2026-11-15T10:30:00.000Z"],
  ["2026-02-28 23:59:59Z", "2026-02-28T23:59:59.000Z"],
])("%j is %s", (text, expected) => {
  expect(parseTime(text, now)?.toISOString()).toBe(expected);
});

it("a day begins, and a time without a zone is, where the user is", () => {
  expect(parseTime("2026-11-15", now)).toEqual(new Date(2026, 10, 15));
  expect(parseTime("2026-11-15 19:30", now)).toEqual(new Date(2026, 10, 15, 19, 30));
});

it.each([
  "",
  "h",
  "2",
  "2 hours",
  "2y",
  "-2h",
  "2026-13-01",
  "2026-02-30",
  "2026-11-15 24:00",
  "yesterday",
  `${"9".repeat(40)}w`,
])("%j is no time", (text) => {
  expect(parseTime(text, now)).toBeUndefined();
});
