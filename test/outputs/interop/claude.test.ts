import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { HarnessEvent } from "../../../src/events/event.js";
import { claudeFormat } from "../../../src/outputs/claude/format.js";
import { ClaudeRecord } from "../../../src/outputs/claude/schema.js";
import { formatEvents } from "../../../src/outputs/format-events.js";
import type { JsonObject } from "../../../src/text/json.js";
import { arbitraryOf } from "../arbitrary.js";
import { completed, eventsOf, type Given, started } from "../support.js";
import { differencesOf, type Rule, readBack, recordsOf, rules } from "./claude-reading.js";
import { cutInHalf, everyRun } from "./every-run.js";

/** What is wrong with the records of one run, whoever reads them. */
function problemsOf(records: readonly ClaudeRecord[], turns: number, checkedFrom = 0): string[] {
  const problems: string[] = [];
  const complain = (what: string, record: unknown): void => {
    problems.push(`${what}: ${JSON.stringify(record).slice(0, 300)}`);
  };
  const calls = new Set<string>();
  const answered = new Set<string>();
  const streaming = new Map<string | null, number | undefined>();
  const ids = new Set<string>();
  let results = 0;
  for (const [index, record] of records.entries()) {
    if (index >= checkedFrom && !v.is(ClaudeRecord, record)) complain("not by the schema", record);
    if (ids.has(record.uuid)) complain("a uuid twice", record);
    ids.add(record.uuid);
    if ((record.type === "system" && record.subtype === "init") !== (index === 0)) complain("init", record);
    if (record.type === "result") results += 1;
    if (record.type === "assistant")
      for (const block of record.message.content) if (block.type === "tool_use") calls.add(block.id);
    if (record.type === "user" && typeof record.message.content !== "string")
      for (const block of record.message.content) {
        if (block.type !== "tool_result") continue;
        if (!calls.has(block.tool_use_id)) complain("a result without its call", record);
        answered.add(block.tool_use_id);
      }
    if (record.type === "stream_event") followStream(record, streaming, complain);
  }
  if (records.length > 0 && (results < Math.max(1, turns) || results > turns + 1))
    complain("results", results);
  const last = records.at(-1);
  if (last !== undefined && turns === 0 && last.type !== "result") complain("the end", last);
  if (streaming.size > 0) complain("a message that is still streamed", [...streaming.keys()]);
  return problems;
}

/** Messages and their blocks begin and end, one at a time for each agent. */
function followStream(
  { event, parent_tool_use_id: thread }: ClaudeRecord & { type: "stream_event" },
  streaming: Map<string | null, number | undefined>,
  complain: (what: string, record: unknown) => void,
): void {
  const isOpen = streaming.has(thread);
  const block = streaming.get(thread);
  if ((event.type === "message_start") === isOpen) complain("a message in a message", event);
  switch (event.type) {
    case "message_start":
      streaming.set(thread, undefined);
      break;
    case "content_block_start":
      if (block !== undefined) complain("a block in a block", event);
      streaming.set(thread, event.index);
      break;
    case "content_block_delta":
      if (block !== event.index) complain("a piece of no block", event);
      break;
    case "content_block_stop":
      if (block !== event.index) complain("the end of no block", event);
      streaming.set(thread, undefined);
      break;
    case "message_stop":
      if (block !== undefined) complain("an open block", event);
      streaming.delete(thread);
      break;
    default:
  }
}

function turnsOf(events: readonly HarnessEvent[]): number {
  return events.filter(({ type }) => type === "turn_end").length;
}

describe("the claude output", () => {
  it("is well formed for every run, whole and cut in half, and read back by the Claude translator to the same run", () => {
    const problems: string[] = [];
    const used = new Set<Rule>();
    let runs = 0;
    for (const whole of everyRun()) {
      const records = recordsOf(whole.events);
      const cut = cutInHalf(whole);
      const ofCut = recordsOf(cut.events);
      const found = [
        ...problemsOf(records, turnsOf(whole.events)),
        ...problemsOf(ofCut, turnsOf(cut.events), ofCut.length - 3).map((problem) => `cut: ${problem}`),
        ...differencesOf(whole.events, records, readBack(records), (rule) => used.add(rule)),
      ];
      for (const problem of found) problems.push(`${whole.name}: ${problem}`);
      runs += 2;
    }
    expect(problems.slice(0, 20)).toEqual([]);
    expect(runs).toBeGreaterThan(2000);
    // A rule that no run needs is not an exception any more.
    expect(Object.keys(rules).filter((rule) => !used.has(rule as Rule))).toEqual([]);
  });

  it("is well formed for any events in any order, however they are grouped", () => {
    const lines = fc.array(fc.array(arbitraryOf(HarnessEvent), { maxLength: 6 }), { maxLength: 12 });
    fc.assert(
      fc.property(lines, (events) => {
        const view = claudeFormat.create({ prompt: "p" });
        const records = [...events.flatMap((line) => view.push(line)), ...(view.end?.() ?? [])];
        const over = events.flat().findIndex((event) => event.type === "exited");
        const seen = over === -1 ? events.flat() : events.flat().slice(0, over + 1);
        expect(problemsOf(records, turnsOf(seen))).toEqual([]);
        const single = claudeFormat.create({ prompt: "p" });
        const again = [...events.flat().flatMap((event) => single.push([event])), ...(single.end?.() ?? [])];
        expect(again).toEqual(records);
        readBack(records);
      }),
    );
  });

  it("has calls of Claude Code's tools that do the same, and the agent's own call beside them", () => {
    const given: Given[] = [
      { type: "started", agent: "codex", cwd: "/repo" },
      { type: "session", model: "m-1", sessionId: "s1" },
      { type: "text", delta: "Let me look.", messageId: "m1" },
      { type: "agent", message: "Let me look.", messageId: "m1" },
      {
        type: "tool_start",
        callId: "c1",
        name: "shell",
        input: { command: ["bash", "-lc", "npm test"] },
        operations: [{ type: "command", command: "npm test" }],
      },
      { type: "tool_end", callId: "c1", name: "shell", isSuccess: false, output: "1 failed" },
      { type: "command", command: "npm test", exitCode: 3, isSuccess: false, callId: "c1" },
      {
        type: "tool_start",
        callId: "c2",
        name: "apply_patch",
        input: {
          patch: "*** Begin Patch\n*** Update File: a.ts\n-x\n+y\n*** Add File: b.ts\n+new\n*** End Patch",
        },
        operations: [
          { type: "write", path: "/repo/a.ts" },
          { type: "write", path: "/repo/b.ts" },
        ],
      },
      { type: "tool_end", callId: "c2", name: "apply_patch", isSuccess: true, output: "ok" },
      { type: "write", path: "/repo/a.ts", isSuccess: true, callId: "c2" },
      { type: "write", path: "/repo/b.ts", isSuccess: true, callId: "c2" },
      { type: "warning", message: "slow" },
      { type: "usage", scope: "run", inputTokens: 3, outputTokens: 4, totalTokens: 7 },
      {
        type: "result",
        isSuccess: true,
        text: "Done.",
        durationMs: 20,
        costUsd: 0.5,
        costSource: "estimated",
      },
      completed,
    ];
    const records = formatEvents(claudeFormat, eventsOf(...given), { prompt: "Fix it" });
    const shown = records.flatMap((record) => {
      if (record.type === "stream_event") return [record.event.type];
      if (record.type === "assistant")
        return [...record.message.content, record["harness-stream"]?.["name"] ?? ""];
      if (record.type === "user") return [record.message.content].flat();
      return [record.subtype];
    });
    expect(shown).toEqual([
      "init",
      "Fix it",
      "message_start",
      "content_block_start",
      "content_block_delta",
      { type: "text", text: "Let me look." },
      "",
      "content_block_stop",
      { type: "tool_use", id: "c1", name: "Bash", input: { command: "npm test" } },
      "shell",
      { type: "tool_result", tool_use_id: "c1", content: "Exit code 3\n1 failed", is_error: true },
      "message_stop",
      {
        type: "tool_use",
        id: "c2",
        name: "Edit",
        input: { file_path: "/repo/a.ts", old_string: "x", new_string: "y" },
      },
      "apply_patch",
      { type: "tool_use", id: "c2#2", name: "Write", input: { file_path: "/repo/b.ts", content: "new" } },
      "apply_patch",
      { type: "tool_result", tool_use_id: "c2", content: "ok", is_error: false },
      { type: "tool_result", tool_use_id: "c2#2", is_error: false },
      "harness_event",
      "success",
    ]);
    expect(records.at(-1)).toMatchObject({
      type: "result",
      is_error: false,
      result: "Done.",
      duration_ms: 20,
      total_cost_usd: 0.5,
      usage: { input_tokens: 3, output_tokens: 4 },
      modelUsage: { "m-1": { inputTokens: 3, outputTokens: 4, costUSD: 0.5 } },
      "harness-stream": { outcome: { isSuccess: true, exitCode: 0 }, costSource: "estimated" },
    });
  });

  it("does not take a new file of which only the name is known for an empty one", () => {
    const nameOf = (name: string, input: JsonObject): unknown => {
      const given: Given[] = [
        started,
        {
          type: "tool_start",
          callId: "c1",
          name,
          input,
          operations: [{ type: "write", path: "/repo/new.ts" }],
        },
        { type: "tool_end", callId: "c1", name, isSuccess: true },
        { type: "write", path: "/repo/new.ts", isSuccess: true, callId: "c1" },
        completed,
      ];
      const records = formatEvents(claudeFormat, eventsOf(...given));
      return records.flatMap((record) =>
        record.type === "assistant"
          ? record.message.content.map((block) => (block.type === "tool_use" ? block.name : block.type))
          : [],
      );
    };
    expect(nameOf("file_change", { changes: [{ path: "/repo/new.ts", kind: "add" }] })).toEqual(["Edit"]);
    expect(nameOf("write_file", { path: "/repo/new.ts", content: "" })).toEqual(["Write"]);
  });

  it("shows the prompt of a live session once, also if a warning comes before it", () => {
    const given: Given[] = [
      started,
      { type: "warning", message: "slow start" },
      { type: "turn", turnId: "t1", prompt: "Hello", origin: "user" },
      { type: "agent", message: "Hi.", turnId: "t1" },
      { type: "turn_end", turnId: "t1", isSuccess: false, reason: "interrupted" },
    ];
    const records = formatEvents(claudeFormat, eventsOf(...given), { prompt: "Hello" });
    expect(records.filter((record) => record.type === "user")).toMatchObject([
      { message: { content: "Hello" }, isReplay: true },
    ]);
    expect(records.find((record) => record.type === "result")).toMatchObject({
      is_error: true,
      terminal_reason: "aborted_streaming",
    });
  });
});
