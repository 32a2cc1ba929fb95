import fc from "fast-check";
import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { HarnessEvent } from "../../../src/events/event.js";
import { formatEvents } from "../../../src/outputs/format-events.js";
import { otlpFormat, toTraces } from "../../../src/outputs/otlp/format.js";
import { OtlpTraces } from "../../../src/outputs/otlp/schema.js";
import type { TraceSpan } from "../../../src/outputs/otlp/span.js";
import { createSpans } from "../../../src/outputs/otlp/spans.js";
import { parseTraceParent, traceParentOf } from "../../../src/outputs/otlp/trace-parent.js";
import { createSpanEncoder, type SpanEncoder } from "../../../src/sending/otlp/encode.js";
import { resolveEndpoint } from "../../../src/sending/otlp/endpoint.js";
import { createSummary } from "../../../src/story/create-summary.js";
import { failureMeanings } from "../../../src/story/explain-failure.js";
import { type DecodedSpan, decodeRequest, spansOfJson } from "../../support/otlp-proto.js";
import { arbitraryOf } from "../arbitrary.js";
import { completed, eventsOf, started, succeeded } from "../support.js";
import { cutInHalf, everyRun, type RealRun } from "./every-run.js";

let protobuf: SpanEncoder;

beforeAll(async () => {
  protobuf = await createSpanEncoder(resolveEndpoint("http://localhost:4318", {}));
});

/** What the serializer of OpenTelemetry made of the spans, read back with the published messages. */
function spansThrough(spans: readonly TraceSpan[]): DecodedSpan[] {
  const body = protobuf.encode(spans);
  return typeof body === "string" ? [] : decodeRequest(body).spans;
}

function spansOf(events: readonly HarnessEvent[], hasContents: boolean): TraceSpan[] {
  const view = createSpans({ hasContents, prompt: "the prompt" });
  return [...events.flatMap((event) => view.add(event)), ...view.end()];
}

/** The sentences that say what is wrong with the spans of a trace. */
function problemsOf(spans: readonly DecodedSpan[]): string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === "");
  const problems = [
    roots.length === 1 ? "" : `${roots.length} roots`,
    ids.size === spans.length ? "" : "an id is there twice",
    new Set(spans.map(({ traceId }) => traceId)).size === 1 ? "" : "more than one trace",
    roots[0] === spans.at(-1) ? "" : "the root is not last",
  ];
  for (const { name, parentSpanId, spanId, traceId, start, end, events, kind, status, attributes } of spans) {
    if (parentSpanId !== "" && !ids.has(parentSpanId)) problems.push(`${name} has no parent`);
    if (parentSpanId === spanId) problems.push(`${name} is its own parent`);
    if (!/^[0-9a-f]{32}$/.test(traceId) || !/^[0-9a-f]{16}$/.test(spanId)) problems.push(`${name} has no id`);
    if (end < start) problems.push(`${name} ends before it begins`);
    if (events.length > 128) problems.push(`${name} has too many events`);
    if (kind !== 1) problems.push(`${name} is not internal`);
    if ((status.code === 2) !== (attributes["error.type"] !== undefined))
      problems.push(`${name} has a status without its type`);
    const { stringValue: operation } = attributes["gen_ai.operation.name"] ?? {};
    if (operation === "execute_tool" && attributes["gen_ai.tool.name"] === undefined)
      problems.push(`${name} has no tool`);
    if (operation !== undefined && !name.startsWith(operation)) problems.push(`${name} is not ${operation}`);
  }
  return problems.filter((problem) => problem !== "");
}

function numberOf(span: DecodedSpan | undefined, name: string): number | undefined {
  const { intValue, doubleValue } = span?.attributes[name] ?? {};
  return intValue === undefined ? doubleValue : Number(intValue);
}

/** The tokens, the cost and the outcome of the root are those of the run. */
function differencesOf({ events }: RealRun, spans: readonly DecodedSpan[]): string[] {
  const root = spans.at(-1);
  const summary = createSummary();
  for (const event of events) summary.add(event);
  const { usage, costUsd, tools, outcome, failure } = summary.read();
  const differences: string[] = [];
  const prefix = usage?.scope === "run" ? "gen_ai" : "harness";
  const sum = ["input", "output"]
    .map((side) => numberOf(root, `${prefix}.usage.${side}_tokens`))
    .reduce<number | undefined>((all, count) => (count === undefined ? all : (all ?? 0) + count), undefined);
  const isWhole = usage?.inputTokens !== undefined && usage.outputTokens !== undefined;
  if (isWhole && sum !== usage.totalTokens) differences.push(`${sum} tokens, not ${usage.totalTokens}`);
  const others = spans
    .slice(0, -1)
    .filter((span) => Object.keys(span.attributes).some((key) => key.startsWith("gen_ai.usage.")));
  if (others.length > 0) differences.push("tokens are counted twice");
  if (numberOf(root, "harness.cost.usd") !== costUsd) differences.push(`another cost than ${costUsd}`);
  const calls = tools.reduce((count, tool) => count + tool.calls, 0);
  const spansOfCalls = spans.filter((span) => span.attributes["gen_ai.tool.call.id"] !== undefined).length;
  if (spansOfCalls < calls) differences.push(`${spansOfCalls} spans for ${calls} calls`);
  if (root?.attributes["harness.outcome"]?.stringValue !== outcome?.reason)
    differences.push("another outcome");
  if (root?.attributes["error.type"]?.stringValue !== failure?.kind) differences.push("another failure");
  return differences;
}

/** Sentences and paths that a person or the agent wrote. Short words appear anywhere. */
function contentsOf(events: readonly HarnessEvent[]): string[] {
  const found: string[] = [];
  for (const event of events) {
    if (event.type === "agent") found.push(event.message);
    else if (event.type === "command") found.push(event.command);
    else if (event.type === "read" || event.type === "write") found.push(event.path);
    else if (event.type === "search") found.push(event.query);
    else if (event.type === "result") found.push(event.text ?? "", event.failure?.message ?? "");
    else if (event.type === "warning" || event.type === "error") found.push(event.message);
    else if (event.type === "turn") found.push(event.prompt ?? "");
  }
  return found
    .filter((text) => text.length > 12)
    .map((text) => JSON.stringify(text.slice(0, 60)).slice(1, -1));
}

describe("otlp, over every run of every agent", () => {
  it("gives one tree of valid spans that adds up, also if the run is cut in half", {
    timeout: 60_000,
  }, () => {
    const problems: string[] = [];
    let runs = 0;
    for (const run of everyRun()) {
      runs += 1;
      const spans = spansOf(run.events, true);
      const sent = spansThrough(spans);
      const found = [...problemsOf(sent), ...differencesOf(run, sent)];
      if (toText(sent) !== toText(spansOfJson(JSON.stringify(toTraces(spans)))))
        found.push("JSON and protobuf differ");
      const items = formatEvents(otlpFormat, run.events, { prompt: "the prompt" });
      if (!items.every((item) => v.is(OtlpTraces, item))) found.push("not by our schema");
      found.push(...leaksOf(run.events, JSON.stringify(items)));
      const cut = cutInHalf(run);
      found.push(...problemsOfCut(spansOfJson(JSON.stringify(toTraces(spansOf(cut.events, false)))), cut));
      problems.push(...found.map((problem) => `${run.name}: ${problem}`));
    }
    expect(problems).toEqual([]);
    expect(runs).toBeGreaterThan(1000);
  });
});

function problemsOfCut(spans: readonly DecodedSpan[], { events }: RealRun): string[] {
  const hasEnded = events.some(({ type }) => type === "exited");
  const looksComplete = !hasEnded && spans.at(-1)?.attributes["error.type"] === undefined;
  return [...problemsOf(spans), ...(looksComplete ? ["a cut run looks complete"] : [])];
}

/** Contents in what is printed without them. Some words of the agents are those in which we explain failures. */
function leaksOf(events: readonly HarnessEvent[], printed: string): string[] {
  const ours = Object.values(failureMeanings).join("\n");
  const leaked = contentsOf(events).filter((text) => !ours.includes(text) && printed.includes(text));
  return [...leaked, ...(printed.includes("the prompt") ? ["the prompt"] : [])];
}

function toText(spans: readonly DecodedSpan[]): string {
  return JSON.stringify(spans, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

describe("otlp, of any events in any order", () => {
  const lines = fc.array(fc.array(arbitraryOf(HarnessEvent), { maxLength: 6 }), { maxLength: 12 });

  it("is one valid tree, whatever the groups of events, and leaves the events as they were", () => {
    fc.assert(
      fc.property(lines, fc.boolean(), (groups, hasContents) => {
        const events = groups.flat();
        const before = JSON.stringify(events);
        const view = otlpFormat.create({ hasContents, prompt: "a" });
        const items = [...groups.flatMap((group) => view.push(group)), ...(view.end?.() ?? [])];
        expect(JSON.stringify(events)).toBe(before);
        expect(items.map((item) => v.safeParse(OtlpTraces, item).issues?.[0]?.message)).toEqual(
          items.map(() => undefined),
        );
        const alone = otlpFormat.create({ hasContents, prompt: "a" });
        const others = [...events.flatMap((event) => alone.push([event])), ...(alone.end?.() ?? [])];
        expect(others).toEqual(items);
        const spans = items.flatMap((item) => spansOfJson(JSON.stringify(item)));
        if (events.length > 0) expect(problemsOf(spans)).toEqual([]);
        expect(view.end?.()).toEqual([]);
      }),
    );
  });
});

/** A span as one line: whose child it is, and what matters of it. */
function treeOf(spans: readonly TraceSpan[]): string[] {
  const nameOf = (id: string | undefined) => spans.find(({ spanId }) => spanId === id)?.name ?? "nothing";
  return spans.map(
    ({ name, parentSpanId, startMs, endMs, error }) =>
      `${name} in ${nameOf(parentSpanId)}, ${endMs - startMs} ms${error === undefined ? "" : `: ${error}`}`,
  );
}

const at = (milliseconds: number): string => new Date(1_767_225_601_000 + milliseconds).toISOString();

describe("the spans of a run", () => {
  const withSubagent = eventsOf(
    { ...started, timestamp: at(0) },
    { type: "session", model: "claude-opus-5-5", sessionId: "s-1", timestamp: at(5) },
    { type: "tool_start", callId: "c1", name: "Agent", input: { prompt: "Look" }, timestamp: at(10) },
    {
      type: "orchestration",
      action: "subagent_started",
      subagentName: "explorer",
      callId: "c1",
      timestamp: at(20),
    },
    { type: "tool_start", callId: "c2", name: "Bash", parentCallId: "c1", timestamp: at(30) },
    { type: "tool_end", callId: "c2", name: "Bash", isSuccess: false, parentCallId: "c1", timestamp: at(50) },
    {
      ...{ type: "command", command: "npm test", exitCode: 2, isSuccess: false, callId: "c2" },
      ...{ parentCallId: "c1", timestamp: at(50) },
    },
    { type: "orchestration", action: "subagent_completed", callId: "c1", isSuccess: true, timestamp: at(60) },
    { type: "tool_end", callId: "c1", name: "Agent", isSuccess: true, output: "Seen", timestamp: at(70) },
    {
      ...{ type: "usage", scope: "run", inputTokens: 10, cacheReadTokens: 3, cacheWriteTokens: 2 },
      ...{ outputTokens: 7, reasoningTokens: 4, totalTokens: 22, timestamp: at(80) },
    },
    { ...succeeded, type: "result", isSuccess: true, text: "Done.", costUsd: 0.5, timestamp: at(90) },
    { ...completed, timestamp: at(100) },
  );

  it("are nested as the work was", () => {
    expect(treeOf(spansOf(withSubagent, false))).toEqual([
      "execute_tool Bash in invoke_agent explorer, 20 ms: The tool failed",
      "invoke_agent explorer in execute_tool Agent, 40 ms",
      "execute_tool Agent in invoke_agent claude, 60 ms",
      "invoke_agent claude in nothing, 100 ms",
    ]);
  });

  it("have the names and numbers of the conventions", () => {
    expect(spansOf(withSubagent, false).at(-1)?.attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.agent.name": "claude",
      "gen_ai.request.model": "claude-opus-5-5",
      "gen_ai.conversation.id": "s-1",
      "gen_ai.usage.input_tokens": 15,
      "gen_ai.usage.cache_read.input_tokens": 3,
      "gen_ai.usage.cache_creation.input_tokens": 2,
      "gen_ai.usage.output_tokens": 7,
      "gen_ai.usage.reasoning.output_tokens": 4,
      "harness.usage.total_tokens": 22,
      "harness.cost.usd": 0.5,
      "harness.run.id": "r1",
      "harness.timing": "observed",
      "harness.outcome": "completed",
      "harness.exit_code": 0,
    });
  });

  it("say what was asked and done only if contents were asked for", () => {
    const attributes = (hasContents: boolean) =>
      spansOf(withSubagent, hasContents).map((span) => span.attributes);
    const [bash, , agent, root] = attributes(true);
    expect(bash).toMatchObject({ "harness.command": "npm test", "harness.command.exit_code": 2 });
    expect(agent).toMatchObject({
      "gen_ai.tool.call.arguments": '{"prompt":"Look"}',
      "gen_ai.tool.call.result": "Seen",
    });
    expect(root).toMatchObject({
      "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"the prompt"}]}]',
      "gen_ai.output.messages":
        '[{"role":"assistant","parts":[{"type":"text","content":"Done."}],"finish_reason":"stop"}]',
    });
    expect(attributes(false)[0]).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "Bash",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": "c2",
      "harness.operation": "command",
      "harness.command.exit_code": 2,
      "error.type": "tool_error",
    });
  });

  it("end with the stream if the run's end is missing", () => {
    expect(treeOf(spansOf(withSubagent.slice(0, 5), false))).toEqual([
      "execute_tool Agent in invoke_agent claude, 20 ms: The end is missing",
      "execute_tool Bash in invoke_agent explorer, 0 ms: The end is missing",
      "invoke_agent explorer in execute_tool Agent, 10 ms: The end is missing",
      "invoke_agent claude in nothing, 30 ms: The end of the run is missing",
    ]);
  });

  it("belong to the span that TRACEPARENT names, and are the same whenever the run is sent", () => {
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const traceParent = `00-${traceId}-b7ad6b7169203331-00`;
    const [line] = formatEvents(otlpFormat, eventsOf(started, completed), { traceParent });
    expect(line?.resourceSpans[0]?.scopeSpans[0]?.spans[0]).toMatchObject({
      traceId,
      parentSpanId: "b7ad6b7169203331",
      flags: 0x301,
    });
    expect(spansOf(withSubagent, false)).toEqual(spansOf(withSubagent, false));
    const others = withSubagent.map((event) => ({ ...event, runId: "r2" }));
    expect(spansOf(others, false)[0]?.traceId).not.toBe(spansOf(withSubagent, false)[0]?.traceId);
  });
});

describe("TRACEPARENT", () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const spanId = "b7ad6b7169203331";

  it.each([
    "",
    "00",
    `00-${traceId}-${spanId}`,
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
  ])("is not valid: %s", (text) => {
    expect(parseTraceParent(text)).toBeUndefined();
  });

  it("is read with its state, also from a later version", () => {
    expect(parseTraceParent(`cc-${traceId}-${spanId}-01-more`, "a=b")).toEqual({
      traceId,
      spanId,
      traceState: "a=b",
    });
    expect(parseTraceParent(`00-${traceId}-${spanId}-01`, "x".repeat(600))).toEqual({ traceId, spanId });
  });

  it("of the agent names the run's own span", () => {
    const spans = spansOf(eventsOf(started, completed), false);
    expect(traceParentOf("r1", undefined)).toBe(`00-${spans[0]?.traceId}-${spans[0]?.spanId}-01`);
  });
});
