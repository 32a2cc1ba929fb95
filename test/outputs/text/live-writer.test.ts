import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StopReason } from "../../../src/events/recording-meta.js";
import type { Line } from "../../../src/outputs/text/line.js";
import { createLiveScreen } from "../../../src/outputs/text/live-screen.js";
import { createLiveWriter } from "../../../src/outputs/text/live-writer.js";
import { createTextView } from "../../../src/outputs/text/text-view.js";
import { completed, eventsOf, type Given, started, succeeded } from "../support.js";
import { createScreen } from "./screen.js";
import { atTime } from "./support.js";

/** A run on a small terminal whose clock stands still unless it is moved. */
function play(columns = 60, stopping: () => StopReason | undefined = () => undefined) {
  let now = 0;
  const screen = createScreen(columns);
  const view = createTextView({ columns });
  const writer = createLiveWriter({ view, columns, hasColors: true, now: () => now, stopping });
  return {
    screen,
    push: (...given: Given[]) => screen.write(writer.push(given.map((event) => eventsOf(event)))),
    wait(milliseconds: number) {
      now += milliseconds;
      screen.write(writer.tick());
    },
    resize: (next: number) => screen.write(writer.resize(next)),
    suspend: () => screen.write(writer.suspend()),
    resume: () => screen.write(writer.resume()),
  };
}

describe("a run on a terminal", () => {
  it("has what is going on in its last row, from the start to the end", () => {
    const run = play();
    run.push(started);
    expect(run.screen.rows).toEqual(["⠋ 0:00 Starting claude"]);
    run.wait(61_000);
    expect(run.screen.rows).toEqual(["⠙ 1:01 Starting claude"]);
    run.push({ type: "session", model: "sonnet", timestamp: atTime(61_000) });
    run.push({
      type: "usage",
      scope: "step",
      totalTokens: 12_345,
      costUsd: 0.012,
      timestamp: atTime(61_000),
    });
    expect(run.screen.rows).toEqual(["⠙ 1:01 Waiting for the model · 12.3k tokens · $0.012"]);
    run.push({ type: "read", path: "/repo/a.ts", isSuccess: true, timestamp: atTime(62_000) });
    expect(run.screen.rows).toEqual([
      "claude · sonnet · /repo",
      "",
      "✓ Read a.ts",
      "⠙ 1:02 Waiting for the model 0:01 · 12.3k tokens · $0.012",
    ]);
    run.push(succeeded, completed);
    expect(run.screen.rows).toEqual(["claude · sonnet · /repo", "", "✓ Read a.ts", "", "✓ Completed", ""]);
    run.wait(1000);
    expect(run.screen.rows.at(-1)).toBe("");
  });

  it.each([
    { reason: "cancelled", words: "Stopping… Ctrl-C again to kill" },
    { reason: "timed_out", words: "Stopping (time limit)… Ctrl-C again to kill" },
    { reason: "stalled", words: "Stopping (idle limit)… Ctrl-C again to kill" },
    { reason: "not_exiting", words: "Stopping (it does not exit)… Ctrl-C again to kill" },
  ] as const)("says that it is being stopped, and why ($reason)", ({ reason, words }) => {
    let stopping: StopReason | undefined;
    const run = play(80, () => stopping);
    run.push(started);
    stopping = reason;
    run.wait(1000);
    expect(run.screen.rows).toEqual([`⠙ 0:01 ${words}`]);
    run.push({ type: "read", path: "/repo/a.ts", isSuccess: true, timestamp: atTime(1000) });
    expect(run.screen.rows.at(-1)).toBe(`⠙ 0:01 ${words}`);
    run.push(succeeded, completed);
    expect(run.screen.rows.join()).not.toContain("Stopping");
  });

  it("shows the answer while it is written, above what is going on", () => {
    const run = play(30);
    run.push(started, { type: "text", delta: "The quick brown fox " });
    expect(run.screen.rows).toEqual(["claude · /repo", "", "The quick brown fox", "⠋ 0:00 Writing"]);
    run.push({ type: "text", delta: "jumps over the lazy dog" });
    expect(run.screen.rows.slice(2)).toEqual([
      "The quick brown fox jumps over",
      "the lazy dog",
      "⠋ 0:00 Writing",
    ]);
    run.wait(100);
    run.push({ type: "agent", message: "The quick brown fox jumps over the lazy dog" });
    expect(run.screen.rows.slice(2)).toEqual([
      "The quick brown fox jumps over",
      "the lazy dog",
      "⠙ 0:00 Waiting for the mod…",
    ]);
  });

  it("leaves nothing behind when it is suspended, and comes back below what was printed since", () => {
    const run = play();
    run.push(started, { type: "text", delta: "Half a" });
    run.suspend();
    expect(run.screen.rows).toEqual(["claude · /repo", "", ""]);
    run.screen.write("$ fg\n");
    run.resume();
    expect(run.screen.rows).toEqual(["claude · /repo", "", "$ fg", "Half a", "⠋ 0:00 Writing"]);
  });

  it("says what is waited for, and for how long", () => {
    const run = play(80);
    const last = () => run.screen.rows.at(-1);
    run.push(started, { type: "session", model: "sonnet" });
    run.wait(17_000);
    expect(last()).toBe("⠙ 0:17 Waiting for the model 0:17");
    const at = (ms: number) => ({ timestamp: atTime(ms) });
    run.push({
      type: "tool_start",
      callId: "a",
      name: "Bash",
      operations: [{ type: "command", command: "npm test" }],
      ...at(17_000),
    });
    expect(last()).toBe("⠙ 0:17 Running npm test");
    run.wait(12_000);
    expect(last()).toBe("⠹ 0:29 Running npm test 0:12");
    run.push({
      type: "request",
      requestId: "q",
      kind: "permission",
      name: "Bash",
      choices: ["allow", "deny"],
      operations: [{ type: "command", command: "git push" }],
      ...at(30_000),
    });
    run.wait(2000);
    expect(last()).toBe("⠸ 0:32 Waiting for an answer: May it run git push? 0:02");
    run.push({ type: "request_end", requestId: "q", outcome: "allowed", by: "caller", ...at(32_000) });
    run.push({ type: "tool_end", callId: "a", name: "Bash", isSuccess: true, ...at(40_000) });
    run.wait(5000);
    expect(last()).toBe("⠼ 0:45 Waiting for the model 0:05");
    run.push({ type: "thinking", delta: "Hm", ...at(50_000) });
    run.push({ type: "thinking", delta: "m", ...at(53_000) });
    expect(last()).toBe("⠼ 0:53 Thinking 0:03");
  });

  it("names the call of a subagent, and counts others only if they are not the subagent itself", () => {
    const run = play(80);
    run.push(started, { type: "tool_start", callId: "a", name: "Task", input: { description: "Find it" } });
    run.push({ type: "orchestration", action: "subagent_started", subagentName: "explore", callId: "a" });
    expect(run.screen.rows.at(-1)).toBe("⠋ 0:00 Subagent Find it");
    const grep = { type: "search", query: "foo" } as const;
    run.push({ type: "tool_start", callId: "b", name: "Grep", parentCallId: "a", operations: [grep] });
    expect(run.screen.rows.at(-1)).toBe("⠋ 0:00 Subagent: Searching for foo");
    run.push({
      type: "tool_start",
      callId: "c",
      name: "Web",
      input: { url: "https://b.c" },
      parentCallId: "a",
    });
    expect(run.screen.rows.at(-1)).toBe("⠋ 0:00 Subagent: Web https://b.c and 1 more");
  });

  it("drops its numbers before its activity in a terminal of 20 columns", () => {
    const run = play(20);
    run.push(started, { type: "tool_start", callId: "a", name: "Bash", input: { command: "npm test" } });
    run.push({ type: "usage", scope: "step", totalTokens: 12_345 });
    expect(run.screen.rows).toEqual(["⠋ 0:00 Bash npm…"]);
  });

  it("leaves room behind its last row for what a terminal echoes of Ctrl-C", () => {
    const run = play(40);
    run.push(started, { type: "tool_start", callId: "a", name: "Bash", input: { command: "x".repeat(100) } });
    run.screen.write("^C");
    run.push(succeeded, completed);
    expect(run.screen.rows).toEqual(["claude · /repo", "", "✓ Completed", ""]);
  });
});

describe("the live rows", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "語", "x"), maxLength: 12 });
  const line = text.map((row): Line => [{ text: row, style: "dim" }]);
  const action = fc.oneof(
    fc.record({ finished: fc.array(line, { maxLength: 3 }), live: fc.array(line, { maxLength: 2 }) }),
    fc.record({ last: line }),
    fc.constant("clear" as const),
  );

  it("are the last ones on the screen whatever is done, and finished rows stay as they were", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
        const screen = createScreen(24);
        const live = createLiveScreen(24, true);
        const finished: string[] = [];
        let shown: string[] = [];
        for (const step of actions) {
          if (step === "clear") {
            screen.write(live.clear());
            shown = [];
          } else if ("last" in step) {
            screen.write(live.redrawLast(step.last));
            if (shown.length > 0) shown[shown.length - 1] = plain(step.last);
          } else {
            screen.write(live.draw(step.finished, step.live));
            finished.push(...step.finished.map(plain));
            shown = step.live.map(plain);
          }
          const expected = [...finished, ...(shown.length === 0 ? [""] : shown)];
          expect(screen.rows).toEqual(expected);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("are taken off whole when the terminal has become narrower and has broken them", () => {
    const live = createLiveScreen(40, false);
    live.draw([], [[{ text: "x".repeat(40) }], [{ text: "y".repeat(25) }]]);
    live.resize(20);
    expect(live.clear()).toBe("\r\u001b[3A\u001b[J");
  });
});

function plain(line: Line): string {
  return line
    .map((segment) => segment.text)
    .join("")
    .trimEnd();
}
