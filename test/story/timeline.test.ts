import { describe, expect, it } from "vitest";
import { buildTimeline } from "../../src/story/timeline/build-timeline.js";
import { describeCall } from "../../src/story/timeline/describe-call.js";
import type { Item, Timeline } from "../../src/story/timeline/items.js";
import { countItems, thinOut } from "../../src/story/timeline/thin-out.js";
import { at, captureOf, startedAt } from "../outputs/documents/run.js";
import { liveSession } from "../outputs/live-session.js";
import { eventsOf, type Given } from "../outputs/support.js";

function timelineOf(...given: Given[]): Timeline {
  return buildTimeline(eventsOf({ type: "started", agent: "a", cwd: "/repo" }, ...given), startedAt);
}

/** Items as short words. */
function outline(items: readonly Item[]): unknown[] {
  return items.map((item) => {
    if (item.kind === "call") {
      const name = `${item.name}: ${item.operations.map(({ type }) => type).join(" ")}`.trim();
      return item.children.length === 0 ? name : [name, ...outline(item.children)];
    }
    return item.kind === "message" || item.kind === "thinking" ? item.text : item.kind;
  });
}

describe("what was said", () => {
  it("is one message, where it began, however many pieces it came in", () => {
    const { items } = timelineOf(
      { type: "text", delta: "He", messageId: "m", ...at(1) },
      { type: "warning", message: "slow", ...at(2) },
      { type: "text", delta: "llo", messageId: "m", ...at(3) },
      { type: "agent", message: "Hello", ...at(4) },
      { type: "agent", message: "Hello", ...at(5) },
    );
    expect(items).toMatchObject([
      { kind: "message", text: "Hello", time: 1000, isCutOff: false },
      { kind: "warning", time: 2000 },
      { kind: "message", text: "Hello", time: 5000 },
    ]);
  });

  it("is kept as far as it got when the run ended before the message did", () => {
    const { items } = timelineOf({ type: "text", delta: "Half a sen" });
    expect(items).toMatchObject([{ kind: "message", text: "Half a sen", isCutOff: true }]);
  });

  it("is told apart when messages come at the same time, and from the user's words", () => {
    const { items } = timelineOf(
      { type: "text", delta: "one", messageId: "1" },
      { type: "text", delta: "two", messageId: "2" },
      { type: "agent", message: "a prompt", role: "user" },
      { type: "agent", message: "two!", messageId: "2" },
      { type: "agent", message: "one!", messageId: "1" },
    );
    expect(outline(items)).toEqual(["one!", "two!", "a prompt"]);
    expect(items).toMatchObject([{ role: "assistant" }, { role: "assistant" }, { role: "user" }]);
  });

  it("is cut off when its stream broke, although another message says the same and more", () => {
    const { items } = timelineOf(
      { type: "text", delta: "The an", messageId: "broken" },
      { type: "text", delta: "The answer", messageId: "again" },
      { type: "agent", message: "The answer", messageId: "again" },
    );
    expect(items).toMatchObject([
      { text: "The an", isCutOff: true },
      { text: "The answer", isCutOff: false },
    ]);
  });

  it("joins thoughts that follow each other, and no others", () => {
    const { items } = timelineOf(
      { type: "thinking", delta: "a" },
      { type: "thinking", delta: "b" },
      { type: "tool_start", callId: "c", name: "T" },
      { type: "thinking", delta: "c" },
      { type: "thinking", message: "whole" },
      { type: "thinking", message: "another" },
    );
    expect(outline(items)).toEqual(["ab", "T:", "c", "whole", "another"]);
  });
});

describe("what was done", () => {
  it("is one item: the call, its result and its operations", () => {
    const { items } = timelineOf(
      { type: "tool_start", callId: "c", name: "Bash", input: { command: "ls" }, ...at(1) },
      { type: "tool_end", callId: "c", name: "Bash", isSuccess: true, output: "a", ...at(3) },
      { type: "list", path: "/repo", isSuccess: true, callId: "c" },
      { type: "read", path: "/x", callId: "elsewhere" },
      { type: "tool_end", callId: "lone", name: "Lone", isSuccess: false },
    );
    expect(items).toMatchObject([
      {
        kind: "call",
        time: 1000,
        end: 3000,
        input: { command: "ls" },
        output: "a",
        operations: [{ type: "list" }],
      },
      { kind: "operation", operation: { path: "/x" } },
      { kind: "call", name: "Lone", isSuccess: false },
    ]);
  });

  it("by a subagent is inside the call that started it, at any depth", () => {
    const { items } = timelineOf(
      { type: "tool_start", callId: "s", name: "Agent" },
      { type: "tool_start", callId: "t", name: "Agent", parentCallId: "s" },
      { type: "agent", message: "deep", parentCallId: "t" },
      { type: "tool_end", callId: "t", name: "Agent", parentCallId: "s" },
      { type: "agent", message: "nobody's", parentCallId: "gone" },
    );
    expect(outline(items)).toEqual([["Agent:", ["Agent:", "deep"]], "nobody's"]);
  });

  it("of a real run nests as it happened", () => {
    const { meta, events } = captureOf("claude", "subagent");
    expect(outline(buildTimeline(events, meta.startedAt).items)).toEqual([
      "session",
      "Delegating.",
      ["Agent: orchestration orchestration", "Read: read"],
      "All done ✅.",
      "end",
    ]);
  });
});

it("time never runs backwards", () => {
  const { items, duration } = timelineOf(
    { type: "warning", message: "late", ...at(5) },
    { type: "warning", message: "clock was set back", ...at(2) },
  );
  expect(items.map(({ time }) => time)).toEqual([5000, 5000]);
  expect(duration).toBe(5000);
});

it("steps of the model are kept for the chart", () => {
  const { steps, items } = timelineOf(
    { type: "usage", scope: "step", outputTokens: 3, ...at(1) },
    { type: "usage", scope: "run", outputTokens: 3 },
  );
  expect(steps).toMatchObject([{ time: 1000, usage: { outputTokens: 3 } }]);
  expect(items).toEqual([]);
});

describe("thinning out", () => {
  const reads = Array.from({ length: 100 }, (_none, index): Given[] => [
    { type: "tool_start", callId: `c${index}`, name: "Read" },
    { type: "tool_end", callId: `c${index}`, name: "Read", isSuccess: index !== 50 },
    { type: "read", path: `/f${index}`, isSuccess: index !== 50, callId: `c${index}` },
  ]).flat();

  it("changes nothing while there is room", () => {
    const { items } = timelineOf(...reads);
    expect(thinOut(items, 100)).toMatchObject(items);
  });

  it("keeps the beginning, the end and what went wrong, and counts the rest", () => {
    const { items } = timelineOf(...reads);
    const rows = thinOut(items, 20);
    const outlined = rows.map((row) => (row.kind === "gap" ? Object.fromEntries(row.counts) : row.kind));
    const five = Array.from({ length: 5 }, () => "call");
    expect(outlined).toEqual([...five, { read: 45 }, "call", { read: 44 }, ...five]);
    expect(countItems(items)).toBe(100);
  });
});

describe("a live session", () => {
  const items = buildTimeline(liveSession().flat(), startedAt).items;

  it("has items for its turns, requests and plans, in their places", () => {
    expect(outline(items)).toEqual([
      "session",
      ...[
        "turn",
        "I'll look at the cart.",
        "plan",
        "Read: read",
        "request",
        "plan",
        "Bash: command",
        "request",
      ],
      ...["The total is right now.", "turn_end"],
      ...["turn", "request", "Bash: command", "request", "turn_end"],
      ...["turn", "error", "turn_end"],
      ...["turn", "request", "It is pushed.", "turn_end", "end"],
    ]);
  });

  it("numbers its turns, with their tokens", () => {
    const ends = items.filter((item) => item.kind === "turn_end");
    expect(ends.map(({ number, tokens }) => [number, tokens])).toEqual([
      [1, 2000],
      [2, 500],
      [3, undefined],
      [4, undefined],
    ]);
  });

  it("keeps a request and its decision together", () => {
    const [question, allowed] = items.filter((item) => item.kind === "request");
    expect(question).toMatchObject({ time: 4000, end: 9000, decision: { outcome: "answered" } });
    expect(allowed).toMatchObject({ request: { name: "Bash" }, decision: { rule: "command: npm test" } });
  });

  it("says that a call which was denied was refused, not run", () => {
    const call = { callId: "c", name: "Bash" };
    const { items: found } = timelineOf(
      { type: "tool_start", ...call },
      { type: "request", requestId: "q", kind: "permission", ...call, choices: ["allow", "deny"] },
      { type: "request_end", requestId: "q", outcome: "denied", by: "caller" },
      { type: "tool_end", ...call, isSuccess: false },
      { type: "command", callId: "c", command: "rm -rf .", isSuccess: false },
    );
    const item = found.find((each) => each.kind === "call");
    expect(item && describeCall(item, "/repo")).toEqual({ verb: "Refused", object: "rm -rf .", more: 0 });
  });

  it("keeps its turns and requests when it is thinned out", () => {
    const many = Array.from({ length: 200 }, (_, at): Given => ({ type: "list", path: `/${at}` }));
    const turn: Given = { type: "turn", turnId: "t", origin: "user", prompt: "Go" };
    const rows = thinOut(timelineOf(...many, turn, ...many).items, 40);
    expect(rows.map(({ kind }) => kind)).toContain("turn");
  });
});
