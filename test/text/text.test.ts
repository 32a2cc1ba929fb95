import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAllowance } from "../../src/outputs/html/limits.js";
import { createSummary } from "../../src/story/create-summary.js";
import { findDiffs } from "../../src/story/find-diffs.js";
import { withMeta } from "../../src/story/recorded-summary.js";
import { cutText, toVisibleLine } from "../../src/text/cut.js";
import {
  formatBytes,
  formatDuration,
  formatNumberOf,
  formatOffset,
  formatShortCount,
  formatUsd,
} from "../../src/text/numbers.js";
import { captureOf } from "../outputs/documents/run.js";
import { metaOf, unendedMeta } from "../runs/archive/recordings.js";

describe("numbers for people", () => {
  it.each([
    [0, "0 ms"],
    [342.4, "342 ms"],
    [999.6, "1 s"],
    [12_340, "12.3 s"],
    [59_960, "1m 00s"],
    [151_000, "2m 31s"],
    [3_599_700, "1h 00m"],
    [3_720_000, "1h 02m"],
    [-5, "0 ms"],
  ])("%d ms take %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

  it.each([
    [7999, "0:07"],
    [754_000, "12:34"],
    [3_723_000, "1:02:03"],
  ])("%d ms after the start is %s", (ms, text) => expect(formatOffset(ms)).toBe(text));

  it.each([
    [0, "$0.00"],
    [0.0067, "$0.0067"],
    [0.1874, "$0.1874"],
    [0.1, "$0.10"],
    [0.125, "$0.125"],
    [1.005, "$1.00"],
    [12.5, "$12.50"],
  ])("%d is %s", (amount, text) => expect(formatUsd(amount)).toBe(text));

  it("counts and sizes", () => {
    expect([999, 1000, 12_345, 999_949, 999_950, 4_500_000].map(formatShortCount)).toEqual([
      "999",
      "1k",
      "12.3k",
      "999.9k",
      "1M",
      "4.5M",
    ]);
    expect([formatShortCount(1.2000000000000002), formatBytes(0.1 + 0.2)]).toEqual(["1.2", "0.3 B"]);
    expect([512, 1200, 1_250_000, 3_000_000_000].map(formatBytes)).toEqual([
      "512 B",
      "1.2 kB",
      "1.3 MB",
      "3 GB",
    ]);
    expect([formatNumberOf(1, "file"), formatNumberOf(1200, "file")]).toEqual(["1 file", "1,200 files"]);
  });
});

describe("long texts", () => {
  it("keep their beginning and their end, whole characters, and as much as is allowed", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.integer({ min: 4, max: 100 }),
        (text, max) => {
          const { head, tail, omitted } = cutText(text, max);
          expect(head.length + omitted + tail.length).toBe(text.length);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
          expect((head + tail).length).toBeLessThanOrEqual(max + 1);
          expect(head + tail).not.toMatch(/[\ud800-\udfff]/u);
        },
      ),
    );
  });

  it("are one line for a title", () => {
    expect(toVisibleLine("two\nlines\u001b[31m red", 40)).toBe("two lines red");
    expect(toVisibleLine("😀".repeat(50), 10)).toBe(`${"😀".repeat(9)}…`);
  });

  it("get less the more was used up, and never nothing", () => {
    const allowance = createAllowance({ items: 10, body: 1000, total: 10_000 });
    const sizes = Array.from({ length: 200 }, () => {
      const { head, tail } = allowance.cut("x".repeat(5000));
      return head.length + tail.length;
    });
    expect(sizes[0]).toBe(200);
    expect(sizes.every((size) => size >= 200)).toBe(true);
    const roomy = createAllowance({ items: 10, body: 1000, total: 1_000_000 });
    expect(roomy.cut("x".repeat(5000)).omitted).toBe(4000);
  });
});

describe("changes that a tool's input tells", () => {
  it("are compared, at any place, whatever the fields are called", () => {
    const expected = ["-a\n+b\n c"];
    expect(findDiffs({ old_string: "a\nc", new_string: "b\nc" })).toEqual(expected);
    expect(findDiffs({ path: "x", edits: [{ oldText: "a\nc", newText: "b\nc" }] })).toEqual(expected);
    expect(findDiffs({ oldString: "same", newString: "same" })).toEqual([]);
    expect(findDiffs({ command: "ls" })).toEqual([]);
  });

  it("are patches as they are", () => {
    const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch";
    expect(findDiffs({ input: patch })).toEqual([patch]);
    expect(findDiffs("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b")).toHaveLength(1);
    expect(findDiffs("a list\n- of\n- things")).toEqual([]);
  });

  it("are told as gone and come when comparing would take too long", () => {
    const lines = (mark: string): string =>
      Array.from({ length: 3000 }, (_none, index) => `${mark}${index}`).join("\n");
    const [diff = ""] = findDiffs({ old_string: lines("a"), new_string: lines("b") });
    expect(diff.startsWith("-a0\n-a1\n")).toBe(true);
    expect(diff.endsWith("\n+b2999")).toBe(true);
  });
});

describe("a summary with what the sidecar tells", () => {
  function summaryOf(agent: string, scenario: string) {
    const summary = createSummary();
    for (const event of captureOf(agent, scenario).events) summary.add(event);
    return summary.read();
  }

  it("takes the sidecar's word, and the observed duration", () => {
    const usage = { totalTokens: 7, scope: "run" as const };
    const meta = metaOf({ usage, costUsd: 1, costSource: "estimated", durationMs: 9 });
    expect(withMeta(meta, "completed", summaryOf("claude", "text"))).toMatchObject({
      outcome: "completed",
      usage,
      costUsd: 1,
      costSource: "estimated",
      durationMs: 1500,
    });
  });

  it("takes the events' where there is none, and no failure while it is running", () => {
    const told = summaryOf("claude", "api401");
    expect(withMeta(unendedMeta(), "interrupted", told)).toMatchObject({ failure: { kind: "auth" } });
    expect(withMeta(unendedMeta(), "running", told)).not.toHaveProperty("failure");
  });
});
