import { type BaseEvent, enforceEvents, HttpAgent, type Message, verifyEvents } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import fc from "fast-check";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type EventOf, HarnessEvent } from "../../../src/events/event.js";
import { agUiFormat } from "../../../src/outputs/ag-ui/format.js";
import { AgUiEvent } from "../../../src/outputs/ag-ui/schema.js";
import type { FormatOptions } from "../../../src/outputs/contract.js";
import { formatEvents } from "../../../src/outputs/format-events.js";
import { toSse } from "../../../src/outputs/sse.js";
import { arbitraryOf } from "../arbitrary.js";
import { completed, eventsOf, type Given, itemsOneByOne, started, succeeded } from "../support.js";
import { cutInHalf, everyRun, type RealRun } from "./every-run.js";

const itemsOf = (events: readonly HarnessEvent[], options?: FormatOptions) =>
  formatEvents(agUiFormat, events, options);

/** AG-UI's client, which gets these items as if a server had sent them. */
function agentOf(items: readonly AgUiEvent[]): HttpAgent {
  const fetch = async () => new Response(toSse(items), { headers: { "content-type": "text/event-stream" } });
  return new HttpAgent({ url: "http://agent.example/", fetch });
}

/**
 * What AG-UI's own parser, schemas and state machine say against the items. `isKnown`: the schemas have seen such items, of the same run
 * before it was cut.
 */
async function problemsOfProtocol(items: readonly AgUiEvent[], isKnown = false): Promise<string[]> {
  const problems: string[] = [];
  const input = { threadId: "", runId: "", messages: [], tools: [], context: [] };
  const received: BaseEvent[] = [];
  await new Promise<void>((resolve) => {
    const arriving = agentOf(items).run(input);
    const checked = isKnown ? arriving : arriving.pipe(enforceEvents(false));
    checked.pipe(verifyEvents(false)).subscribe({
      next: (event) => void received.push(event),
      complete: resolve,
      error: (error) => {
        problems.push(`after ${received.length} events: ${(error as Error).message}`);
        resolve();
      },
    });
  });
  if (received.length !== items.length) problems.push(`${received.length} of ${items.length} events arrived`);
  return problems;
}

/** What the protocol's state machine does not ask for, and we promise. */
function problemsOfOrder(items: readonly AgUiEvent[]): string[] {
  const problems: string[] = [];
  const calls = new Map<string, number>();
  const messages = new Set<string>();
  const open = new Set<string>();
  for (const [at, item] of items.entries()) {
    const isLast = at === items.length - 1;
    if ((item.type === "RUN_STARTED") !== (at === 0)) problems.push(`${item.type} at ${at}`);
    if ((item.type === "RUN_FINISHED" || item.type === "RUN_ERROR") !== isLast)
      problems.push(`${item.type} at ${at}`);
    if (/_(?:START|STARTED)$/.test(item.type) && item.type !== "RUN_STARTED") open.add(keyOf(item));
    if (/_(?:END|FINISHED)$/.test(item.type) || item.type === "SUBAGENT_ERROR")
      if (!isLast && !open.delete(keyOf(item))) problems.push(`${keyOf(item)} was not open`);
    if (item.type === "TOOL_CALL_START") {
      if (calls.has(item.toolCallId)) problems.push(`call ${item.toolCallId} begins twice`);
      calls.set(item.toolCallId, 0);
    }
    if (item.type === "TOOL_CALL_RESULT") {
      calls.set(item.toolCallId, (calls.get(item.toolCallId) ?? 9) + 1);
      if (calls.get(item.toolCallId) !== 1) problems.push(`call ${item.toolCallId} ends more than once`);
    }
    if (item.type === "TEXT_MESSAGE_START" || item.type === "TOOL_CALL_RESULT") {
      if (messages.has(item.messageId)) problems.push(`message ${item.messageId} twice`);
      messages.add(item.messageId);
    }
  }
  if (open.size > 0) problems.push(`open at the end: ${[...open]}`);
  return problems;
}

/** The thing that an item begins or ends. */
function keyOf(item: AgUiEvent): string {
  const kind = item.type.replace(/_(?:START|STARTED|END|FINISHED|ERROR)$/, "");
  if ("toolCallId" in item) return `${kind} ${item.toolCallId}`;
  if ("messageId" in item) return `${kind} ${item.messageId}`;
  if ("stepName" in item) return `${kind} ${item.stepName}`;
  return `${kind} ${"subagentRunId" in item ? item.subagentRunId : ""}`;
}

/** What the run says against what the items say. */
function problemsOfContent({ events }: RealRun, items: readonly AgUiEvent[]): string[] {
  const problems: string[] = [];
  const same = (what: string, one: unknown, other: unknown) =>
    one === other || problems.push(`${what}: ${String(one)}, not ${String(other)}`);
  const count = (type: AgUiEvent["type"]) => items.filter((item) => item.type === type).length;
  const words = { main: "", subagents: "" };
  for (const item of items) {
    if (item.type !== "TEXT_MESSAGE_CONTENT") continue;
    words[item.subagentRunId === undefined ? "main" : "subagents"] += item.delta;
  }
  for (const event of events) {
    if (event.type !== "agent" || event.role !== undefined) continue;
    const said = words[event.parentCallId === undefined ? "main" : "subagents"];
    if (!said.includes(event.message.trim())) problems.push(`not said: ${event.message}`);
  }
  const of = (type: HarnessEvent["type"]) => events.filter((event) => event.type === type);
  same("calls", count("TOOL_CALL_START"), of("tool_start").length);
  same("results", count("TOOL_CALL_RESULT"), of("tool_end").length);
  same("raw", count("RAW"), of("unknown").length);
  same("writes", items.filter(isActivity("harness.write")).length, of("write").length);
  same("steps", count("STEP_STARTED"), of("turn").length);
  const last = items.at(-1);
  const usage = events.findLast(isRunUsage);
  const [counted] = last?.type === "RUN_FINISHED" || last?.type === "RUN_ERROR" ? (last.usage ?? []) : [];
  same("output", counted?.outputTokens, usage?.outputTokens);
  same("total", counted?.totalTokens, usage?.totalTokens);
  same("reads", counted?.cachedInputTokens, usage?.cacheReadTokens);
  if (counted?.totalTokens !== undefined)
    same("sum", (counted.inputTokens ?? 0) + (counted.outputTokens ?? 0), counted.totalTokens);
  const result = events.find((event) => event.type === "result");
  const isFinished = last?.type === "RUN_FINISHED" && last.outcome.type === "success";
  same("success", isFinished, result?.type === "result" && result.isSuccess);
  return problems;
}

function isActivity(wanted: string) {
  return (item: AgUiEvent) => item.type === "ACTIVITY_SNAPSHOT" && item.activityType === wanted;
}

function isRunUsage(event: HarnessEvent): event is EventOf<"usage"> {
  return event.type === "usage" && event.scope === "run";
}

/** The messages that an application gets. */
async function messagesOf(items: readonly AgUiEvent[]): Promise<{ messages: Message[]; problems: string[] }> {
  const agent = agentOf(items);
  const problems: string[] = [];
  const failed = items.at(-1)?.type === "RUN_ERROR";
  await agent.runAgent().catch((error: Error) => failed || problems.push(error.message));
  return { messages: agent.messages, problems };
}

describe("ag-ui", () => {
  const warnings: string[] = [];
  beforeEach(() => {
    warnings.length = 0;
    vi.spyOn(console, "warn").mockImplementation((...words) => void warnings.push(words.join(" ")));
    vi.spyOn(console, "error").mockImplementation(() => undefined);
  });
  afterEach(() => void vi.restoreAllMocks());

  it("is valid for AG-UI's client, for every run and every run cut in half", async () => {
    const problems: string[] = [];
    let streams = 0;
    for (const whole of everyRun()) {
      for (const run of [whole, cutInHalf(whole)]) {
        const items = itemsOf(run.events);
        const found = [
          ...(await problemsOfProtocol(items, run !== whole)),
          ...problemsOfOrder(items),
          ...problemsOfContent(run, items),
        ];
        if (run === whole && !items.every((item) => v.is(AgUiEvent, item)))
          found.push("not as our schema says");
        if (streams % 40 < 2) {
          const { messages, problems: more } = await messagesOf(items);
          found.push(...more);
          const calls = messages.flatMap((each) => (each.role === "assistant" ? (each.toolCalls ?? []) : []));
          if (calls.length !== items.filter((item) => item.type === "TOOL_CALL_START").length)
            found.push(`${calls.length} calls in the client's messages`);
          for (const call of calls) JSON.parse(call.function.arguments);
        }
        for (const problem of found) problems.push(`${run.name}: ${problem}`.slice(0, 300));
        streams += 1;
      }
    }
    expect(problems.slice(0, 20)).toEqual([]);
    // The client warns about every field and event that the protocol does not have.
    expect([...new Set(warnings)]).toEqual([]);
    expect(streams).toBeGreaterThan(2000);
  }, 180_000);

  it("is valid for any events in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryOf(HarnessEvent), { maxLength: 12 }), async (events) => {
        const before = JSON.stringify(events);
        const items = itemsOf(events);
        expect(JSON.stringify(events)).toBe(before);
        expect(events.length === 0 ? items : problemsOfOrder(items)).toEqual([]);
        expect(await problemsOfProtocol(items)).toEqual([]);
        for (const item of items) {
          expect(EventSchemas.safeParse(item).success).toBe(true);
          expect(v.is(AgUiEvent, item), JSON.stringify(item)).toBe(true);
        }
        expect(itemsOneByOne(agUiFormat, events)).toEqual(items);
      }),
    );
  });

  it("marks what a subagent does as its own, also if nobody announced it", () => {
    const sub = { parentCallId: "c1" };
    const items = itemsOf(
      eventsOf(
        started,
        { type: "tool_start", callId: "c1", name: "Task", input: { prompt: "Look" } },
        { type: "agent", message: "I look.", ...sub },
        { type: "write", path: "/a", callId: "c2", isSuccess: true, ...sub },
        { type: "orchestration", action: "subagent_failed", callId: "c1", subagentName: "explore" },
        { type: "tool_end", callId: "c1", name: "Task", isSuccess: false, output: ["no"] },
        {
          type: "usage",
          scope: "run",
          inputTokens: 1,
          cacheReadTokens: 2,
          outputTokens: 4,
          reasoningTokens: 3,
          totalTokens: 7,
        },
        { type: "result", isSuccess: true, text: "Done.", costUsd: 0.5 },
        completed,
      ),
      { prompt: "Hi" },
    );
    const owner = { subagentRunId: "c1" };
    expect(items.map(({ timestamp: _, ...item }) => item)).toEqual([
      {
        type: "RUN_STARTED",
        threadId: "r1",
        runId: "r1",
        protocolVersion: "1.0",
        input: {
          threadId: "r1",
          runId: "r1",
          messages: [{ id: "r1-prompt", role: "user", content: "Hi" }],
          tools: [],
          context: [],
        },
        metadata: { harness: { runId: "r1", agent: "claude", cwd: "/repo" } },
      },
      { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "Task" },
      { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '{"prompt":"Look"}' },
      { type: "TOOL_CALL_END", toolCallId: "c1" },
      { type: "SUBAGENT_STARTED", ...owner, name: "subagent", parentToolCallId: "c1" },
      { type: "TEXT_MESSAGE_START", messageId: "r1-message-1", role: "assistant", ...owner },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "r1-message-1", delta: "I look.", ...owner },
      { type: "TEXT_MESSAGE_END", messageId: "r1-message-1", ...owner },
      {
        type: "ACTIVITY_SNAPSHOT",
        messageId: "r1-write-1",
        activityType: "harness.write",
        content: { path: "/a", isSuccess: true, toolCallId: "c2", parentToolCallId: "c1" },
        replace: true,
        ...owner,
      },
      {
        type: "SUBAGENT_ERROR",
        ...owner,
        message: "the subagent failed",
        metadata: { harness: { action: "subagent_failed", subagentName: "explore", toolCallId: "c1" } },
      },
      {
        type: "TOOL_CALL_RESULT",
        messageId: "r1-result-1",
        toolCallId: "c1",
        content: '["no"]',
        role: "tool",
        metadata: { harness: { isSuccess: false } },
      },
      {
        type: "CUSTOM",
        name: "harness.usage",
        value: {
          inputTokens: 1,
          cacheReadTokens: 2,
          outputTokens: 4,
          reasoningTokens: 3,
          totalTokens: 7,
          scope: "run",
        },
      },
      {
        type: "RUN_FINISHED",
        threadId: "r1",
        runId: "r1",
        result: "Done.",
        outcome: { type: "success" },
        usage: [
          { inputTokens: 3, outputTokens: 4, totalTokens: 7, reasoningTokens: 3, cachedInputTokens: 2 },
        ],
        metadata: { harness: { isSuccess: true, reason: "completed", exitCode: 0, costUsd: 0.5 } },
      },
    ]);
  });

  it("keeps every event short enough for AG-UI's client, which stops at 10 MB", async () => {
    const long = `${"\u0001".repeat(1_500_000)}the end`;
    const items = itemsOf(
      eventsOf(
        started,
        { type: "agent", message: long },
        { type: "tool_start", callId: "c1", name: "Write", input: { text: long } },
        { type: "tool_end", callId: "c1", name: "Write", isSuccess: true, output: long },
        { type: "unknown", raw: { text: long } },
        succeeded,
        completed,
      ),
    );
    expect(Math.max(...items.map((item) => JSON.stringify(item).length))).toBeLessThan(10_000_000);
    expect(await problemsOfProtocol(items)).toEqual([]);
    const deltas = (type: AgUiEvent["type"]) =>
      items.map((item) => (item.type === type && "delta" in item ? item.delta : "")).join("");
    expect(deltas("TEXT_MESSAGE_CONTENT") === long).toBe(true);
    expect(JSON.parse(deltas("TOOL_CALL_ARGS")).text === long).toBe(true);
    const result = items.find((item) => item.type === "TOOL_CALL_RESULT");
    expect(result?.content).toMatch(/\(\d+ characters are left out here\)/);
    expect(result?.content.endsWith("the end")).toBe(true);
  });

  it("ends as the run did", () => {
    const last = (...given: Given[]) => itemsOf(eventsOf(started, ...given)).at(-1);
    const cancelled: Given = {
      type: "result",
      isSuccess: false,
      failure: { kind: "cancelled", message: "stopped" },
    };
    expect(last(cancelled, { type: "exited", exitCode: null, reason: "cancelled" })).toMatchObject({
      type: "RUN_FINISHED",
      outcome: { type: "cancelled" },
    });
    const late: Given = {
      type: "result",
      isSuccess: false,
      failure: { kind: "timed_out", message: "too long", hint: "Give it more time." },
    };
    expect(last(late, { type: "exited", exitCode: null, reason: "timed_out" })).toMatchObject({
      type: "RUN_ERROR",
      message: "too long",
      code: "timed_out",
      metadata: { harness: { failure: { hint: "Give it more time." } } },
    });
    expect(last()).toMatchObject({ type: "RUN_ERROR", code: "cut" });
    expect(itemsOf([])).toEqual([]);
  });
});
