import { describe, expect, it } from "vitest";
import type { HarnessEvent } from "../../src/events/event.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { toNdjson } from "../../src/text/to-json.js";
import { completed, eventsOf, type Given, started, succeeded, timestamp } from "./support.js";

describe("the events format", () => {
  it("gives each of the eleven types its fields, in the order of the document", () => {
    const common = { sessionId: "s1", line: 7, parentCallId: "parent" };
    const done = { isSuccess: true, callId: "c1", ...common };
    const events = eventsOf(
      { type: "agent", message: "hello", ...common },
      { type: "command", command: "npm test", workingDirectory: "/repo", exitCode: 0, ...done },
      { type: "read", path: "/repo/a", startLine: 1, endLine: 2, ...done },
      { type: "write", path: "/repo/a", startLine: 1, endLine: 2, ...done },
      { type: "search", query: "foo", path: "/repo", ...done },
      { type: "list", path: "/repo", ...done },
      { type: "skill", path: "/s/SKILL.md", skillName: "demo", startLine: 1, endLine: 2, ...done },
      {
        type: "orchestration",
        action: "subagent_completed",
        subagentId: "a1",
        subagentName: "general",
        ...done,
      },
      { type: "error", message: "broken", code: "e1", ...common },
      { type: "warning", message: "careful", code: "w1", ...common },
      { type: "unknown", raw: { any: ["thing", null] }, ...common },
    );
    const head = `"timestamp":"${timestamp}","sessionId":"s1"`;
    expect(toNdjson(formatEvents("events", events)).split("\n")).toEqual([
      `{"type":"agent",${head},"message":"hello"}`,
      `{"type":"command",${head},"command":"npm test","workingDirectory":"/repo","exitCode":0,"isSuccess":true}`,
      `{"type":"read",${head},"path":"/repo/a","startLine":1,"endLine":2,"isSuccess":true}`,
      `{"type":"write",${head},"path":"/repo/a","startLine":1,"endLine":2,"isSuccess":true}`,
      `{"type":"search",${head},"query":"foo","path":"/repo","isSuccess":true}`,
      `{"type":"list",${head},"path":"/repo","isSuccess":true}`,
      `{"type":"skill",${head},"path":"/s/SKILL.md","skillName":"demo","startLine":1,"endLine":2,"isSuccess":true}`,
      `{"type":"orchestration",${head},"action":"subagent_completed","subagentId":"a1","subagentName":"general","isSuccess":true}`,
      `{"type":"error",${head},"message":"broken","code":"e1"}`,
      `{"type":"warning",${head},"message":"careful","code":"w1"}`,
      `{"type":"unknown",${head},"raw":{"any":["thing",null]}}`,
      "",
    ]);
  });

  it("leaves out what is not reported", () => {
    const events = eventsOf(
      { type: "command", command: "ls" },
      { type: "read", path: "a" },
      { type: "search", query: "q" },
      { type: "list" },
      { type: "skill", path: "p" },
      { type: "orchestration", action: "subagent_started" },
      { type: "error", message: "e" },
      { type: "unknown", raw: null },
    );
    expect(formatEvents("events", events)).toStrictEqual([
      { type: "command", timestamp, command: "ls" },
      { type: "read", timestamp, path: "a" },
      { type: "search", timestamp, query: "q" },
      { type: "list", timestamp },
      { type: "skill", timestamp, path: "p" },
      { type: "orchestration", timestamp, action: "subagent_started" },
      { type: "error", timestamp, message: "e" },
      { type: "unknown", timestamp, raw: null },
    ]);
  });

  it("keeps its own key order, whatever the order of the event's keys", () => {
    const event: HarnessEvent = {
      isSuccess: false,
      path: "a",
      sessionId: "s",
      seq: 0,
      runId: "r",
      timestamp,
      type: "read",
    };
    expect(JSON.stringify(formatEvents("events", [event])[0])).toBe(
      `{"type":"read","timestamp":"${timestamp}","sessionId":"s","path":"a","isSuccess":false}`,
    );
  });

  it("keeps falsy values that are reported", () => {
    const events = eventsOf({ type: "command", command: "", exitCode: 0, isSuccess: false });
    expect(formatEvents("events", events)).toStrictEqual([
      { type: "command", timestamp, command: "", exitCode: 0, isSuccess: false },
    ]);
  });

  it("consumes every other type, and messages that are not the assistant's", () => {
    const consumed: Given[] = [
      started,
      { type: "session", model: "m" },
      { type: "text", delta: "a" },
      { type: "thinking", delta: "a" },
      { type: "agent", message: "prompt", role: "user" },
      { type: "agent", message: "rules", role: "system" },
      { type: "tool_start", callId: "c", name: "Read" },
      { type: "tool_end", callId: "c", name: "Read" },
      { type: "edits", edits: [] },
      { type: "usage", inputTokens: 1, scope: "run" },
      succeeded,
      completed,
    ];
    expect(formatEvents("events", eventsOf(...consumed))).toEqual([]);
  });
});
