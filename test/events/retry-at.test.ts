import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryTimeIn, toInstant } from "../../src/events/retry-at.js";

const now = "2026-11-17T10:00:00.000Z";

describe("when a limit ends", () => {
  it.each([
    ["You've hit your session limit · resets 3pm (UTC)", "2026-11-17T15:00:00.000Z"],
    ["You've hit your session limit · resets 9:42pm (UTC)", "2026-11-17T21:42:00.000Z"],
    ["5-hour limit reached ∙ resets 9am (UTC)", "2026-11-18T09:00:00.000Z"],
    ["You've hit your limit · resets 12am (UTC)", "2026-11-18T00:00:00.000Z"],
    ["You've hit your limit · resets 12:30pm (UTC)", "2026-11-17T12:30:00.000Z"],
    ["You've hit your weekly limit · resets 3pm (America/New_York)", "2026-11-17T20:00:00.000Z"],
    ["You've hit your weekly limit · resets 3pm (Europe/Berlin)", "2026-11-17T14:00:00.000Z"],
    ["You've hit your weekly limit · resets Nov 20, 5pm (UTC)", "2026-11-20T17:00:00.000Z"],
    ["You've hit your weekly limit · resets Nov 20 at 5:30pm (UTC)", "2026-11-20T17:30:00.000Z"],
    ["You've hit your weekly limit · resets Jan 3, 2027, 5pm (UTC)", "2027-01-03T17:00:00.000Z"],
    ["You've hit your weekly limit · resets Oct 9, 5pm (UTC)", "2027-10-09T17:00:00.000Z"],
    ["Quota reached, resets at 14:05 UTC", "2026-11-17T14:05:00.000Z"],
    ["Rate limit reached for gpt-5.5. Please try again in 20s.", "2026-11-17T10:00:20.000Z"],
    ["Rate limit reached. Please try again in 1.898s. Visit …", "2026-11-17T10:00:01.898Z"],
    ["Please try again in 1h 5m", "2026-11-17T11:05:00.000Z"],
    ["Please try again in 6m0s.", "2026-11-17T10:06:00.000Z"],
    ["Try again in 1 day, 2 hours and 5 minutes", "2026-11-18T12:05:00.000Z"],
    ["Please retry in 34.074824224s.", "2026-11-17T10:00:34.075Z"],
    ["try again in 500ms", "2026-11-17T10:00:00.500Z"],
    ["Individual limit reached. Resets in 89h", "2026-11-21T03:00:00.000Z"],
    ["Your quota will reset after 11h32m5s.", "2026-11-17T21:32:05.000Z"],
    ['{"retryDelay": "34s"}', "2026-11-17T10:00:34.000Z"],
    ["429 Too Many Requests, Retry-After: 120", "2026-11-17T10:02:00.000Z"],
    ['{"retry_after": 120, "code": 429}', "2026-11-17T10:02:00.000Z"],
    ["Retry-After: Tue, 17 Nov 2026 11:00:00 GMT", "2026-11-17T11:00:00.000Z"],
    ["The limit resets at 2026-11-18T08:30:00Z.", "2026-11-18T08:30:00.000Z"],
    ["The limit resets at 2026-11-18T08:30:00.5+02:00", "2026-11-18T06:30:00.500Z"],
    ["The limit resets on 2026-11-18 08:30 UTC", "2026-11-18T08:30:00.000Z"],
    [
      "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
      "2026-12-01T00:00:00.000Z",
    ],
    ["You've reached your 5-hour standard usage limit (resets in 3h 21min)", "2026-11-17T13:21:00.000Z"],
    ["Claude AI usage limit reached|1794916800", "2026-11-17T12:00:00.000Z"],
    [
      '{"type":"usage_limit_reached","resets_at":1794916800,"resets_in_seconds":7200}',
      "2026-11-17T12:00:00.000Z",
    ],
    ['{"type":"usage_limit_reached","resets_in_seconds":7200}', "2026-11-17T12:00:00.000Z"],
  ])("%s", (message, time) => {
    expect(retryTimeIn(message, now)).toBe(time);
  });

  it.each([
    ["a time without its zone", "You've hit your usage limit. … or try again at 9:47 PM."],
    ["a time without its zone, and a date", "You've hit your weekly limit · resets Oct 9, 5pm"],
    ["no such zone", "resets 3pm (Nowhere/Land)"],
    ["no such hour", "resets 25pm (UTC)"],
    ["no such hour of 24", "resets 25:00 (UTC)"],
    ["no such minute", "resets 3:75pm (UTC)"],
    ["no such day", "resets Feb 31, 5pm (UTC)"],
    ["no such month", "resets Foo 3, 5pm (UTC)"],
    ["an hour that may be any half of the day", "resets 3 (UTC)"],
    ["a date without its zone", "The limit resets at 2026-11-18T08:30:00"],
    ["no such date", "The limit resets at 2026-13-41T08:30:00Z"],
    ["a time that has passed", "Claude AI usage limit reached|1748876400"],
    ["a time in years", "try again in 9999 days"],
    ["no number", "This is usually temporary: try again in a moment."],
    ["the next attempt of the agent", "Reconnecting... 1/5; retrying 1/5 in 208ms…"],
    ["another number", "try again in 3 files"],
    ["a field in a unit that nobody knows", '{"retryAfter": 120000}'],
    ["a field in another unit", '{"retry_after_ms": 120000}'],
    ["a part of a number", "try again in 1.5.3s"],
  ])("is not certain: %s", (_why, message) => {
    expect(retryTimeIn(message, now)).toBeUndefined();
  });

  it("is known without the time of the message only if the message names a date and its zone", () => {
    for (const saidAt of [undefined, "1970-01-01T00:00:00.000Z", "never", "+275760-09-13T00:00:00.000Z"]) {
      expect(retryTimeIn("try again in 20s", saidAt)).toBeUndefined();
      expect(retryTimeIn("resets 3pm (UTC)", saidAt)).toBeUndefined();
      expect(retryTimeIn("resets at 2026-11-18T08:30:00Z", saidAt)).toBe("2026-11-18T08:30:00.000Z");
      expect(retryTimeIn("usage limit reached|1794916800", saidAt)).toBe("2026-11-17T12:00:00.000Z");
    }
  });

  it("is right when the clocks change in between", () => {
    const beforeChange = "2026-10-31T20:00:00.000Z";
    expect(retryTimeIn("resets Nov 1, 3pm (America/New_York)", beforeChange)).toBe(
      "2026-11-01T20:00:00.000Z",
    );
    expect(retryTimeIn("resets 7pm (America/New_York)", beforeChange)).toBe("2026-10-31T23:00:00.000Z");
  });
});

describe("any message", () => {
  const words = fc.constantFrom(
    ..."resets|try again|in|at|(UTC)|UTC|3pm|25|20s|1h|5m|:|, |Oct|Feb 30|2026-11-18T08:30:00Z|Retry-After|limit reached|\\||1794916800|9999999999|999999 days|(Europe/Paris)|am|0".split(
      "|",
    ),
  );
  const message = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(words).map((parts) => parts.join(" ")),
  );
  const saidAt = fc.option(
    fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constant(now),
      fc.string(),
    ),
    { nil: undefined },
  );

  it("gives a time after it was said, or none", () => {
    fc.assert(
      fc.property(message, saidAt, (text, said) => {
        const time = retryTimeIn(text, said);
        if (time === undefined) return;
        expect(new Date(time).toISOString()).toBe(time);
        if (said === now) expect(Date.parse(time)).toBeGreaterThanOrEqual(Date.parse(now));
      }),
    );
  });
});

describe("a date that an agent reports", () => {
  it("counts only with its time zone", () => {
    expect(toInstant("2026-11-18T08:30:00+02:00")).toBe("2026-11-18T06:30:00.000Z");
    for (const date of [undefined, "", "soon", "2026-11-18T08:30:00", "2026-99-18T08:30:00Z", "1794916800"])
      expect(toInstant(date)).toBeUndefined();
  });
});
