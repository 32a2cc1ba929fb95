import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { HarnessEvent } from "../../src/events/event.js";
import type { RawRecord } from "../../src/events/raw-record.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { type FormatItems, type FormatName, formatNames, formats } from "../../src/outputs/formats.js";
import { createJsonSchema } from "../../src/outputs/json-schema.js";
import { rawOutput } from "../../src/outputs/raw/output.js";
import { streamSchemas } from "../../src/outputs/schemas.js";
import { isValid } from "./json-schema-check.js";
import { liveSession } from "./live-session.js";
import { eventsOf, type Given, started, timestamp } from "./support.js";

function itemsOf<Name extends FormatName>(name: Name): FormatItems[Name][] {
  const view = formats[name].create();
  return liveSession().flatMap((line) => view.push(line));
}

describe.each(formatNames)("a live session as %s", (name) => {
  it("consists of items that the schema and the JSON Schema allow", () => {
    const items = itemsOf(name);
    expect(items.length).toBeGreaterThan(0);
    const jsonSchema = createJsonSchema(name);
    for (const item of items) {
      expect(v.safeParse(streamSchemas[name], item).issues, JSON.stringify(item)).toBeUndefined();
      expect(isValid(jsonSchema, item), JSON.stringify(item)).toBe(true);
    }
  });

  it("is the same from the flat list of its events", () => {
    expect(formatEvents(name, liveSession().flat())).toEqual(itemsOf(name));
  });
});

describe("ndjson", () => {
  it("has the prompts as messages of the user, and one result", () => {
    const items = itemsOf("ndjson");
    const said = items.filter((item) => item.type === "Message");
    expect(said.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      "user: The cart total is wrong.\nFix it.",
      "assistant: I'll look at the cart.",
      "assistant: The total is right now.",
      "user: Now push it.",
      "user: Is it there?",
      "assistant: It is pushed.",
    ]);
    expect(items.filter(({ type }) => type === "Result")).toEqual([items.at(-1)]);
  });

  it("says that a call which an interrupt ended did not succeed", () => {
    expect(itemsOf("ndjson")).toContainEqual(
      expect.objectContaining({ type: "ToolEnd", call_id: "c3", success: false }),
    );
  });
});

describe("events", () => {
  it("has what was said and done, as in any other run", () => {
    const types = itemsOf("events").map(({ type }) => type);
    expect(types).toEqual(["agent", "read", "command", "agent", "command", "error", "agent"]);
  });
});

describe("run-events", () => {
  it("has the turns, the questions with their ends, and the plans", () => {
    const kinds = itemsOf("run-events").map((item) => item.kind);
    expect(kinds).toEqual([
      ...["started", "session", "turnStarted", "text", "text", "plan"],
      ...["toolStart", "toolEnd", "activity", "askQuestion", "plan", "questionEnded"],
      ...["toolStart", "askQuestion", "questionEnded", "toolEnd", "activity", "text", "turnEnded"],
      ...["turnStarted", "askQuestion", "questionEnded", "toolStart", "askQuestion", "questionEnded"],
      ...["toolEnd", "activity", "turnEnded"],
      ...["turnStarted", "activity", "turnEnded"],
      ...["turnStarted", "askQuestion", "questionEnded", "text", "turnEnded", "usage", "exited"],
    ]);
  });

  it("asks so that a user interface can show the question and take the answer", () => {
    const asked = itemsOf("run-events").filter((item) => item.kind === "askQuestion");
    expect(asked.map(({ title }) => title)).toEqual([
      "Should totals be rounded up or to the nearest cent?",
      "May it run npm test?",
      "May it run git push --force and edit CHANGELOG.md?",
      "May it fetch https://example.com/?",
      "May it carry out its plan?",
    ]);
    expect(asked[1]).toEqual({
      kind: "askQuestion",
      runId: "r1",
      requestId: "q2",
      requestKind: "permission",
      toolCallId: "c2",
      name: "Bash",
      title: "May it run npm test?",
      operations: ["run npm test"],
      input: '{"command":"npm test"}',
      choices: ["allow", "allow_always", "deny"],
    });
    expect(asked[0]?.questions?.[0]?.options).toHaveLength(2);
    expect(asked[4]?.message).toBe("1. Pull\n2. Push");
  });

  it("says how each turn ended", () => {
    const ended = itemsOf("run-events").filter((item) => item.kind === "turnEnded");
    expect(ended.map(({ turnId, ok, reason, message }) => ({ turnId, ok, reason, message }))).toEqual([
      { turnId: "t1", ok: true, reason: "completed", message: undefined },
      { turnId: "t2", ok: false, reason: "interrupted", message: undefined },
      { turnId: "t3", ok: false, reason: "failed", message: "the model is overloaded" },
      { turnId: "t4", ok: true, reason: "completed", message: undefined },
    ]);
  });

  it("keeps the items of two turns apart if they come from one line", () => {
    const view = formats["run-events"].create();
    const turn = (turnId: string, message: string): Given[] => [
      { type: "turn", turnId, origin: "agent" },
      { type: "agent", turnId, message },
      { type: "turn_end", turnId, isSuccess: true, reason: "completed" },
    ];
    const items = view.push(eventsOf(...turn("a", "One"), ...turn("b", "Two")));
    expect(items.map((item) => (item.kind === "text" ? item.delta : item.kind))).toEqual([
      ...["turnStarted", "One", "turnEnded"],
      ...["turnStarted", "Two", "turnEnded"],
    ]);
  });

  it("takes the last message of each turn as its answer if the agent narrates", () => {
    const view = formats["run-events"].create({ narrates: true });
    const events: Given[] = [
      { type: "turn", turnId: "a", origin: "user", prompt: "Go" },
      { type: "agent", turnId: "a", message: "First I ask." },
      { type: "request", turnId: "a", requestId: "q", kind: "question", name: "ask", choices: ["answer"] },
      { type: "agent", turnId: "a", message: "Done." },
      { type: "turn_end", turnId: "a", isSuccess: true, reason: "completed" },
    ];
    const items = events.flatMap((event) => view.push(eventsOf(event)));
    expect(items.filter((item) => item.kind === "text" || item.kind === "activity")).toEqual([
      { kind: "activity", runId: "r1", message: "First I ask." },
      { kind: "text", runId: "r1", delta: "Done." },
    ]);
  });

  it("has no plans of one-shot runs, and none of subagents", () => {
    const entries = [{ content: "Look", status: "pending" as const }];
    const plans = eventsOf(
      started,
      { type: "plan", entries },
      { type: "plan", entries, turnId: "t1", parentCallId: "c1" },
    );
    expect(formatEvents("run-events", plans)).toEqual([{ kind: "started", runId: "r1" }]);
  });
});

describe("json", () => {
  const [report] = itemsOf("json");

  it("lists the turns", () => {
    expect(report?.turns).toHaveLength(4);
    expect(report?.turns?.[0]).toEqual({
      turnId: "t1",
      origin: "user",
      prompt: "The cart total is wrong.\nFix it.",
      outcome: { isSuccess: true, reason: "completed" },
      text: "The total is right now.",
      usage: { totalTokens: 2000 },
      costUsd: 0.02,
      costSource: "agent",
      durationMs: 12_000,
    });
    expect(report?.turns?.[2]).toMatchObject({
      outcome: { reason: "failed" },
      failure: { kind: "rate_limit" },
    });
  });

  it("lists what was asked, and who decided", () => {
    expect(report?.requests?.map(({ requestId, outcome, by }) => `${requestId} ${outcome} ${by}`)).toEqual([
      "q1 answered caller",
      "q2 allowed policy",
      "q3 denied caller",
      "q4 withdrawn caller",
      "q5 allowed caller",
    ]);
    expect(report?.requests?.[1]?.rule).toBe("command: npm test");
    expect(report?.requests?.[2]?.reason).toBe("never with --force");
  });

  it("has the plan as it was last, and the numbers of the whole session", () => {
    expect(report?.plan?.map(({ status }) => status)).toEqual(["completed", "in_progress", "pending"]);
    expect(report).toMatchObject({ usage: { scope: "run", totalTokens: 2500 }, costUsd: 0.025 });
  });

  it("has nothing of all this in a one-shot run", () => {
    const [other] = formatEvents(
      "json",
      eventsOf(started, { type: "exited", exitCode: 0, reason: "completed" }),
    );
    expect(Object.keys(other ?? {})).not.toEqual(expect.arrayContaining(["turns"]));
    expect(other).not.toHaveProperty("requests");
    expect(other).not.toHaveProperty("plan");
  });
});

describe("raw", () => {
  it("has what came from the agent over any connection, and not what was sent", () => {
    const records: RawRecord[] = [
      { timestamp, stream: "sent", line: "a prompt" },
      { timestamp, stream: "stdout", line: "listening" },
      { timestamp, stream: "received", line: '{"type":"idle"}' },
      { timestamp, stream: "stderr", line: "a warning" },
      { timestamp, stream: "process", exitCode: 0, signal: null },
    ];
    const noEvents: HarnessEvent[] = [];
    const pieces = rawOutput.open().push(records.map((record) => ({ record, events: noEvents })));
    expect(pieces.join("")).toBe('listening\n{"type":"idle"}\n');
  });
});
