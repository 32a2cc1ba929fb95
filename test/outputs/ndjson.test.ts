import { describe, expect, it } from "vitest";
import type { EventOf } from "../../src/events/event.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { toNdjson } from "../../src/text/to-json.js";
import {
  completed,
  eventsOf,
  exitedWithOne,
  failed,
  type Given,
  runId,
  started,
  succeeded,
  timestamp_ms,
} from "./support.js";

function ndjson(...given: Given[]) {
  return formatEvents("ndjson", eventsOf(...given));
}

const sessionStart = { type: "SessionStart", timestamp_ms, session_id: runId, agent: "claude", cwd: "/repo" };

describe("the ndjson format", () => {
  it("writes each type with snake_case fields in documented order", () => {
    const sessionId = "s1";
    const items = ndjson(
      started,
      { type: "session", sessionId, model: "opus", cwd: "/private/work" },
      { type: "text", sessionId, delta: "Hel" },
      { type: "agent", sessionId, message: "Hello" },
      { type: "agent", sessionId, message: "rules", role: "system" },
      { type: "tool_start", sessionId, callId: "c1", name: "Read", input: { path: "a.ts" } },
      { type: "tool_end", sessionId, callId: "c1", name: "Read", isSuccess: true, output: "text" },
      { type: "error", sessionId, message: "broken", code: "e1" },
      { type: "result", sessionId, isSuccess: true, text: "Hello", durationMs: 5000, costUsd: 0.05 },
      completed,
    );
    const time = `"timestamp_ms":${timestamp_ms}`;
    expect(toNdjson(items).split("\n")).toEqual([
      `{"type":"SessionStart",${time},"session_id":"s1","agent":"claude","model":"opus","cwd":"/private/work"}`,
      `{"type":"TextDelta",${time},"text":"Hel"}`,
      `{"type":"Message",${time},"role":"assistant","text":"Hello"}`,
      `{"type":"Message",${time},"role":"system","text":"rules"}`,
      `{"type":"ToolStart",${time},"call_id":"c1","tool_name":"Read","input":"{\\"path\\":\\"a.ts\\"}"}`,
      `{"type":"ToolEnd",${time},"call_id":"c1","success":true,"output":"text"}`,
      `{"type":"Error",${time},"message":"broken","code":"e1"}`,
      `{"type":"Result",${time},"success":true,"text":"Hello","duration_ms":5000,"total_cost_usd":0.05}`,
      "",
    ]);
  });

  it("leaves out what is not reported", () => {
    const items = ndjson(
      { type: "started", agent: "pi", cwd: "" },
      { type: "tool_start", callId: "c1", name: "x" },
      { type: "tool_end", callId: "c1", name: "x" },
      succeeded,
    );
    expect(items).toStrictEqual([
      { type: "SessionStart", timestamp_ms, session_id: runId, agent: "pi" },
      { type: "ToolStart", timestamp_ms, call_id: "c1", tool_name: "x" },
      { type: "ToolEnd", timestamp_ms, call_id: "c1", success: false },
      { type: "Result", timestamp_ms, success: true },
    ]);
  });

  it.each([
    ["text", "text"],
    ["", ""],
    [{ a: [1, null] }, '{"a":[1,null]}'],
    [["a"], '["a"]'],
    [0, "0"],
    [false, "false"],
    [null, "null"],
  ])("writes tool input and output %j as the string %j", (value, text) => {
    const [, start, end] = ndjson(
      { type: "tool_start", callId: "c1", name: "x", input: value },
      { type: "tool_end", callId: "c1", name: "x", output: value },
    );
    expect(start).toMatchObject({ input: text });
    expect(end).toMatchObject({ output: text });
  });
});

it("survives tool input that is nested too deeply to be written", () => {
  const [start] = eventsOf({ type: "tool_start", callId: "c1", name: "x", input: [] });
  const input = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  const items = start?.type === "tool_start" ? formatEvents("ndjson", [{ ...start, input }]) : [];
  expect(items[1]).toMatchObject({ type: "ToolStart", input: expect.stringContaining("nested too deeply") });
});

describe("SessionStart", () => {
  it("waits for the agent to identify itself", () => {
    expect(ndjson(started, { type: "warning", message: "stderr" })).toEqual([]);
  });

  it("has the run's id when the agent identifies itself without one", () => {
    expect(ndjson(started, { type: "session", model: "m" })).toStrictEqual([
      { type: "SessionStart", timestamp_ms, session_id: runId, agent: "claude", model: "m", cwd: "/repo" },
    ]);
  });

  it("goes out before any other item, with the agent's id if that is known by then", () => {
    expect(ndjson(started, { type: "text", delta: "a", sessionId: "s1" })).toStrictEqual([
      { ...sessionStart, session_id: "s1" },
      { type: "TextDelta", timestamp_ms, text: "a" },
    ]);
  });

  it("goes out once, even when the agent identifies itself later or changes its model", () => {
    const items = ndjson(
      started,
      { type: "text", delta: "a" },
      { type: "session", model: "m1", sessionId: "s1" },
      { type: "session", model: "m2", sessionId: "s1" },
    );
    expect(items.map((item) => item.type)).toEqual(["SessionStart", "TextDelta"]);
  });

  it("takes an empty directory for an unknown one", () => {
    const [item] = ndjson(started, { type: "session", cwd: "" });
    expect(item).toStrictEqual(sessionStart);
  });

  it("is there, with an error and a result, even when the agent could not be started", () => {
    const message = "claude was not found";
    expect(
      ndjson(started, { type: "error", message, code: "not_installed" }, failed(message), {
        type: "exited",
        exitCode: null,
        reason: "failed",
      }),
    ).toStrictEqual([
      sessionStart,
      { type: "Error", timestamp_ms, message, code: "crash" },
      { type: "Result", timestamp_ms, success: false },
    ]);
  });
});

describe("ToolEnd", () => {
  const start: Given = { type: "tool_start", callId: "c1", name: "x", line: 3 };
  it.each<
    [string, boolean, Omit<EventOf<"tool_end">, "timestamp" | "runId" | "seq" | "type" | "callId" | "name">]
  >([
    ["a success", true, { isSuccess: true, line: 4 }],
    ["a failure", false, { isSuccess: false, line: 4 }],
    ["a call whose outcome nobody reported", true, { line: 4 }],
    ["a call that one line reports as a whole", true, { output: "done", line: 3 }],
    ["a call that never ended", false, { line: 3 }],
  ])("of %s has success: %s", (_, success, end) => {
    const [, , item] = ndjson(
      started,
      start,
      { type: "tool_end", callId: "c1", name: "x", ...end },
      succeeded,
    );
    expect(item).toMatchObject({ type: "ToolEnd", success });
  });
});

describe("Error", () => {
  const work: Given = { type: "text", delta: "on" };

  it.each([
    ["You exceeded your rate limit", "rate_limit"],
    ["API Error: 500 oops", "provider"],
    ["nobody knows", "unknown"],
  ])("has the kind of failure that %j speaks of, when the agent gives no code", (message, code) => {
    expect(ndjson(started, { type: "error", message }, work)[1]).toStrictEqual({
      type: "Error",
      timestamp_ms,
      message,
      code,
    });
  });

  it("has the agent's own code if the run goes on", () => {
    const error: Given = { type: "error", message: "oops", code: "own" };
    expect(ndjson(started, error, work, succeeded)[1]).toMatchObject({ type: "Error", code: "own" });
  });

  it("of a failed run is there once, with the kind of the failure", () => {
    const said: Given = { type: "error", message: "Limit\n\nreached", code: "own" };
    const end: Given = {
      type: "error",
      message: "Claude exited with code 1: Limit reached",
      code: "process_error",
    };
    const items = ndjson(started, work, said, end, failed("Limit reached"), exitedWithOne);
    expect(items.slice(2)).toMatchObject([
      { type: "Error", message: "Claude exited with code 1: Limit reached", code: "crash" },
      { type: "Result", success: false },
    ]);
  });

  it("of a failed run is there once, too, if the end repeats it as JSON or after the calls that it ended", () => {
    const call = { callId: "c1", name: "x", line: 3 };
    const items = ndjson(
      started,
      { type: "tool_start", ...call },
      { type: "error", message: 'Limit\n"reached"', code: "crash" },
      { type: "tool_end", ...call },
      { type: "error", message: 'It exited with code 1: "Limit\\n\\"reached\\""', code: "process_error" },
      failed("Limit reached"),
    );
    expect(items.map(({ type }) => type)).toEqual([
      "SessionStart",
      "ToolStart",
      "Error",
      "ToolEnd",
      "Result",
    ]);
  });

  it("that the failure quotes carries its kind, and the end of the process in other words does not", () => {
    const message = "API Error: 500 oops";
    const end: Given = {
      type: "error",
      message: "Gemini exited with code 1: terminated",
      code: "process_error",
    };
    const failure: Given = { type: "result", isSuccess: false, failure: { kind: "provider", message } };
    expect(ndjson(started, { type: "error", message }, end, failure).slice(1)).toMatchObject([
      { message, code: "provider" },
      { message: "Gemini exited with code 1: terminated", code: "process_error" },
      { type: "Result" },
    ]);
  });

  it("that says something else than the last one stays", () => {
    const items = ndjson(
      started,
      { type: "error", message: "first", code: "own" },
      { type: "error", message: "second", code: "process_error" },
      failed("second"),
    );
    expect(items.slice(1, 3)).toMatchObject([
      { message: "first", code: "own" },
      { message: "second", code: "crash" },
    ]);
  });

  it("does not come before the session", () => {
    const early = { type: "error", message: "oops", timestamp: "2026-01-01T00:00:00.000Z" } as const;
    const items = ndjson(started, early, failed("oops"));
    expect(items.map(({ type }) => type)).toEqual(["SessionStart", "Error", "Result"]);
    expect(items[0]?.timestamp_ms).toBe(items[1]?.timestamp_ms);
  });
});

describe("Result", () => {
  it("is the last item, whatever comes after it", () => {
    const items = ndjson(started, failed("x"), { type: "error", message: "late" }, succeeded, exitedWithOne);
    expect(items.map((item) => item.type)).toEqual(["SessionStart", "Result"]);
  });
});

describe("timestamp_ms", () => {
  it("is the time of the event", () => {
    const items = ndjson(
      { ...started, timestamp: "2026-01-01T00:00:00.000Z" },
      { type: "text", delta: "a", timestamp: "2026-01-01T00:00:00.250Z" },
      { type: "text", delta: "b", timestamp: "2026-01-01T00:00:00.250Z" },
      { type: "text", delta: "c", timestamp: "2026-01-01T01:00:01.500+01:00" },
    );
    const start = Date.UTC(2026, 0, 1);
    expect(items.map((item) => item.timestamp_ms - start)).toEqual([250, 250, 250, 1500]);
  });

  it("stays a number when the engine cannot read the timestamp", () => {
    const items = ndjson(
      { type: "text", delta: "a", timestamp: "2026-01-01T00:00:00.250Z" },
      { type: "text", delta: "b", timestamp: "2026-01-01T00:00:00+05" },
    );
    expect(items[2]?.timestamp_ms).toBe(Date.UTC(2026, 0, 1) + 250);
  });
});

it("consumes what the unified stream has no word for", () => {
  const items = ndjson(
    started,
    { type: "session" },
    { type: "warning", message: "w" },
    { type: "thinking", delta: "t" },
    { type: "usage", inputTokens: 1, scope: "run" },
    { type: "command", command: "ls" },
    { type: "read", path: "a" },
    { type: "write", path: "a" },
    { type: "search", query: "q" },
    { type: "list" },
    { type: "skill", path: "p" },
    { type: "orchestration", action: "subagent_started" },
    { type: "edits", edits: [] },
    { type: "unknown", raw: "text" },
    completed,
  );
  expect(items).toStrictEqual([sessionStart]);
});
