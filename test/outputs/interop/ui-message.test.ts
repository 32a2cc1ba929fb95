import {
  createUIMessageStream,
  readUIMessageStream,
  safeValidateUIMessages,
  type UIMessage,
  uiMessageChunkSchema,
} from "ai";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { type EventOf, HarnessEvent } from "../../../src/events/event.js";
import type { FormatOptions } from "../../../src/outputs/contract.js";
import { formatEvents } from "../../../src/outputs/format-events.js";
import { uiMessageFormat } from "../../../src/outputs/ui-message/format.js";
import { uiMessageOutput } from "../../../src/outputs/ui-message/output.js";
import {
  UiMessageChunk,
  type UiMessageDataParts,
  type UiMessageMetadata,
} from "../../../src/outputs/ui-message/schema.js";
import { arbitraryOf } from "../arbitrary.js";
import { completed, eventsOf, type Given, itemsOneByOne, started, succeeded } from "../support.js";
import { cutInHalf, everyRun, type RealRun } from "./every-run.js";

type HarnessMessage = UIMessage<UiMessageMetadata, UiMessageDataParts>;

const chunksOf = (events: readonly HarnessEvent[], options?: FormatOptions) =>
  formatEvents(uiMessageFormat, events, options);

const chunkSchema = uiMessageChunkSchema();

/** What the AI SDK's schema does not accept. `known`: the texts of chunks that were checked before. */
async function problemsOfSchema(chunks: readonly UiMessageChunk[], known: Set<string>): Promise<string[]> {
  const problems: string[] = [];
  for (const chunk of chunks) {
    const json = JSON.stringify(chunk);
    if (known.has(json)) continue;
    known.add(json);
    // As it arrives over HTTP: what JSON cannot say is not there.
    const checked = await chunkSchema.validate?.(JSON.parse(json));
    if (checked?.success !== true) problems.push(`invalid: ${json}`);
    if (!v.is(UiMessageChunk, chunk)) problems.push(`not as our schema says: ${json}`);
  }
  return problems;
}

interface Read {
  message: HarnessMessage | undefined;
  problems: string[];
}

/** The message that the AI SDK makes of the chunks on the server, which is the same code as in a browser without its copies. */
async function readOnServer(chunks: readonly UiMessageChunk[]): Promise<Read> {
  let message: HarnessMessage | undefined;
  const problems: string[] = [];
  const stream = createUIMessageStream<HarnessMessage>({
    execute: ({ writer }) => {
      for (const chunk of chunks) writer.write(chunk);
    },
    onFinish: ({ responseMessage, outcome }) => {
      message = responseMessage;
      if (outcome.status === "failed") problems.push(`reader: ${String(outcome.error)}`);
    },
  });
  for await (const _ of stream);
  return { message, problems };
}

/** The message that a browser shows. Every chunk gives a copy of it, so this is slow. */
async function readInBrowser(chunks: readonly UiMessageChunk[]): Promise<Read> {
  let message: HarnessMessage | undefined;
  const errors: string[] = [];
  const stream = new ReadableStream<UiMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const onError = (error: unknown) => void errors.push((error as Error).message);
  for await (const state of readUIMessageStream<HarnessMessage>({ stream, onError })) message = state;
  const reported = chunks.flatMap((chunk) => (chunk.type === "error" ? [chunk.errorText] : []));
  // The reader reports the run's own failure, and must find nothing else to complain about.
  return { message, problems: errors.join() === reported.join() ? [] : [`reader: ${errors.join("; ")}`] };
}

/** Everything has one beginning and one end, and what belongs together has the same id. */
function problemsOfOrder(chunks: readonly UiMessageChunk[]): string[] {
  const problems: string[] = [];
  const open = new Set<string>();
  const calls = new Map<string, "begun" | "known" | "over">();
  let isInStep = false;
  const move = (id: string, from: string | undefined, to: "begun" | "known" | "over") => {
    if (calls.get(id) !== from) problems.push(`call ${id} is ${calls.get(id)} before ${to}`);
    calls.set(id, to);
  };
  for (const [at, chunk] of chunks.entries()) {
    const isLast = at === chunks.length - 1;
    if ((chunk.type === "start") !== (at === 0)) problems.push(`start at ${at}`);
    if ((chunk.type === "finish" || chunk.type === "abort") !== isLast)
      problems.push(`${chunk.type} at ${at}`);
    switch (chunk.type) {
      case "start-step":
      case "finish-step":
        if (isInStep === (chunk.type === "start-step")) problems.push(`a second ${chunk.type}`);
        if (open.size > 0) problems.push(`${[...open]} open at ${chunk.type}`);
        isInStep = chunk.type === "start-step";
        break;
      case "text-start":
      case "reasoning-start":
        if (open.has(chunk.id)) problems.push(`${chunk.id} begins twice`);
        if (!isInStep) problems.push(`${chunk.id} outside of a step`);
        open.add(chunk.id);
        break;
      case "text-delta":
      case "reasoning-delta":
        if (!open.has(chunk.id)) problems.push(`a piece of ${chunk.id}, which is not open`);
        if (chunk.delta === "") problems.push("an empty piece");
        break;
      case "text-end":
      case "reasoning-end":
        if (!open.delete(chunk.id)) problems.push(`${chunk.id} ends twice`);
        break;
      case "tool-input-start":
        if (!isInStep) problems.push(`${chunk.toolCallId} outside of a step`);
        move(chunk.toolCallId, undefined, "begun");
        break;
      case "tool-input-available":
        move(chunk.toolCallId, "begun", "known");
        break;
      case "tool-output-available":
      case "tool-output-error":
        move(chunk.toolCallId, "known", "over");
    }
  }
  if (isInStep || open.size > 0) problems.push("something is still open");
  for (const [id, state] of calls) if (state !== "over") problems.push(`call ${id} is ${state}`);
  return problems;
}

/** What the run says against what the reader's message says. */
function problemsOfContent({ events }: RealRun, message: HarnessMessage): string[] {
  const problems: string[] = [];
  const texts = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const spoken = texts.join("");
  const said = [...texts, ...message.parts.map(heardFromOthers)].join("\n");
  for (const event of events) {
    if (event.type !== "agent") continue;
    const isMain = event.parentCallId === undefined && event.role === undefined;
    if (isMain ? !spoken.includes(event.message.trim()) : !said.includes(event.message))
      problems.push(`not said: ${event.message}`);
    if (event.parentCallId !== undefined && texts.includes(event.message) && event.message.length > 40)
      problems.push(`a subagent's words among the agent's: ${event.message}`);
  }
  const parts = message.parts.flatMap((part) => (part.type === "dynamic-tool" ? [part] : []));
  const starts = events.filter((event) => event.type === "tool_start");
  if (parts.map(({ toolName }) => toolName).join() !== starts.map(({ name }) => name).join())
    problems.push(`${parts.length} calls of ${starts.length}`);
  const outputs = events.flatMap((event) =>
    event.type === "tool_end" && event.isSuccess ? [event.output] : [],
  );
  const shown = parts.flatMap((part) =>
    part.state === "output-available" ? [JSON.stringify(part.output)] : [],
  );
  for (const output of outputs)
    if (!shown.includes(JSON.stringify(output ?? null))) problems.push(`no output ${JSON.stringify(output)}`);
  return problems;
}

function heardFromOthers(part: HarnessMessage["parts"][number]): string {
  return part.type === "data-harness-message" ? part.data.text : "";
}

/** The metadata against the events. */
function problemsOfMetadata({ events }: RealRun, { metadata }: HarnessMessage): string[] {
  const of = <T extends HarnessEvent["type"]>(type: T) =>
    events.findLast((event): event is EventOf<T> => event.type === type);
  const usage = events.findLast((event) => event.type === "usage" && event.scope === "run") as
    | EventOf<"usage">
    | undefined;
  const totals = metadata?.usage ?? { inputTokenDetails: {}, outputTokenDetails: {} };
  const { inputTokenDetails: sent, outputTokenDetails: got } = totals;
  const problems: string[] = [];
  const same = (what: string, one: unknown, other: unknown) =>
    one === other || problems.push(`${what}: ${String(one)}, not ${String(other)}`);
  same("uncached", sent.noCacheTokens, usage?.inputTokens);
  same("read", sent.cacheReadTokens, usage?.cacheReadTokens);
  same("output", totals.outputTokens, usage?.outputTokens);
  same("reasoning", got.reasoningTokens, usage?.reasoningTokens);
  same("total", totals.totalTokens, usage?.totalTokens);
  if (totals.totalTokens !== undefined)
    same("sum", (totals.inputTokens ?? 0) + (totals.outputTokens ?? 0), totals.totalTokens);
  same("success", metadata?.outcome?.isSuccess, of("result")?.isSuccess);
  same("exit code", metadata?.outcome?.exitCode, of("exited")?.exitCode);
  same("agent", metadata?.agent, of("started")?.agent);
  return problems;
}

describe("ui-message", () => {
  it("is valid for the AI SDK's schema and reader, for every run and every run cut in half", async () => {
    const problems: string[] = [];
    let streams = 0;
    for (const whole of everyRun()) {
      const known = new Set<string>();
      for (const run of [whole, cutInHalf(whole)]) {
        const chunks = chunksOf(run.events);
        const found = [...(await problemsOfSchema(chunks, known)), ...problemsOfOrder(chunks)];
        // A run that was cut gives the same chunks and their ends: a part of them is enough for the slow readers.
        const { message, problems: more } =
          run === whole || streams % 10 === 1
            ? await readOnServer(chunks)
            : { message: undefined, problems: [] };
        found.push(...more);
        if (message !== undefined)
          found.push(...problemsOfContent(run, message), ...problemsOfMetadata(run, message));
        else if (run === whole) found.push("no message");
        if (streams % 40 < 2 && message !== undefined) {
          const browser = await readInBrowser(chunks);
          found.push(...browser.problems);
          if (JSON.stringify(browser.message) !== JSON.stringify(message))
            found.push("the browser's differs");
          const checked = await safeValidateUIMessages({ messages: [message] });
          if (!checked.success) found.push(checked.error.message);
        }
        for (const problem of found) problems.push(`${run.name}: ${problem}`.slice(0, 300));
        streams += 1;
      }
    }
    expect(problems.slice(0, 20)).toEqual([]);
    expect(streams).toBeGreaterThan(2000);
  }, 180_000);

  it("is valid for any events in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryOf(HarnessEvent), { maxLength: 12 }), async (events) => {
        const before = JSON.stringify(events);
        const chunks = chunksOf(events);
        expect(JSON.stringify(events)).toBe(before);
        expect(events.length === 0 ? chunks : problemsOfOrder(chunks)).toEqual([]);
        expect(await problemsOfSchema(chunks, new Set())).toEqual([]);
        expect(itemsOneByOne(uiMessageFormat, events)).toEqual(chunks);
      }),
    );
  });

  it("keeps a subagent's words out of the agent's text, and its calls with their parent", () => {
    const sub = { parentCallId: "c1" };
    const chunks = chunksOf(
      eventsOf(
        started,
        { type: "tool_start", callId: "c1", name: "Task" },
        { type: "orchestration", action: "subagent_started", callId: "c1", subagentName: "explore" },
        { type: "text", delta: "I ", messageId: "m", ...sub },
        { type: "text", delta: "look.", messageId: "m", ...sub },
        { type: "agent", message: "I look.", messageId: "m", ...sub },
        { type: "tool_start", callId: "c2", name: "Read", input: { path: "a" }, ...sub },
        { type: "tool_end", callId: "c2", name: "Read", isSuccess: true, output: "text", ...sub },
        { type: "orchestration", action: "subagent_completed", callId: "c1", subagentId: "s" },
        { type: "tool_end", callId: "c1", name: "Task", isSuccess: false, output: { code: 1 } },
        succeeded,
        completed,
      ),
    );
    const tool = { providerExecuted: true, dynamic: true };
    const ofSub = { toolMetadata: { harness: { parentToolCallId: "c1" } } };
    const subagent = { action: "subagent_started", subagentName: "explore", toolCallId: "c1" };
    const ended = { ...subagent, action: "subagent_completed", subagentId: "s" };
    expect(chunks.slice(1, -2)).toEqual([
      { type: "start-step" },
      { type: "tool-input-start", toolCallId: "c1", toolName: "Task", ...tool },
      { type: "tool-input-available", toolCallId: "c1", toolName: "Task", input: {}, ...tool },
      { type: "data-harness-subagent", id: "c1/", data: subagent },
      {
        type: "data-harness-message",
        data: { role: "assistant", text: "I look.", messageId: "m", parentToolCallId: "c1" },
      },
      { type: "tool-input-start", toolCallId: "c2", toolName: "Read", ...tool, ...ofSub },
      {
        type: "tool-input-available",
        toolCallId: "c2",
        toolName: "Read",
        input: { path: "a" },
        ...tool,
        ...ofSub,
      },
      { type: "tool-output-available", toolCallId: "c2", output: "text", ...tool },
      { type: "data-harness-subagent", id: "c1/", data: ended },
      { type: "tool-output-error", toolCallId: "c1", errorText: '{"code":1}', ...tool },
      { type: "finish-step" },
    ]);
  });

  it("completes text that was cut off, marks text that was withdrawn, and gives a call that comes again its own id", () => {
    const chunks = chunksOf(
      eventsOf(
        started,
        { type: "text", delta: "Half", messageId: "m1" },
        { type: "warning", message: "again", code: "text_withdrawn" },
        { type: "text", delta: "The who", messageId: "m2" },
        { type: "agent", message: "The whole", messageId: "m2" },
        { type: "tool_start", callId: "tool-1", name: "Read" },
        { type: "tool_end", callId: "tool-1", name: "Read", isSuccess: true },
        { type: "tool_start", callId: "tool-1", name: "Read" },
        { type: "tool_end", callId: "tool-1", name: "Read", isSuccess: true },
        { type: "read", callId: "tool-1", path: "/a" },
      ),
    );
    const texts = chunks.filter(({ type }) => type.startsWith("text-"));
    expect(texts).toMatchObject([
      { type: "text-start", id: "text-1" },
      { type: "text-delta", delta: "Half" },
      {
        type: "text-end",
        id: "text-1",
        providerMetadata: { harness: { messageId: "m1", isWithdrawn: true } },
      },
      { type: "text-start", id: "text-2" },
      { type: "text-delta", delta: "The who" },
      { type: "text-delta", delta: "le" },
      { type: "text-end", id: "text-2" },
    ]);
    expect(
      chunks.flatMap((each) => (each.type === "tool-output-available" ? [each.toolCallId] : [])),
    ).toEqual(["tool-1", "tool-1#2"]);
    expect(chunks.find(({ type }) => type === "data-harness-read")).toMatchObject({
      data: { path: "/a", toolCallId: "tool-1#2" },
    });
  });

  it("ends as the run did", () => {
    const ends = (...given: Given[]) => chunksOf(eventsOf(started, ...given)).slice(-2);
    const cancelled: Given = {
      type: "result",
      isSuccess: false,
      failure: { kind: "cancelled", message: "the run was cancelled" },
    };
    expect(ends(cancelled, { type: "exited", exitCode: null, reason: "cancelled" }).at(-1)).toEqual({
      type: "abort",
      reason: "the run was cancelled",
    });
    const refused: Given = { type: "result", isSuccess: false, failure: { kind: "refusal", message: "No." } };
    expect(ends(refused, { type: "exited", exitCode: 1, reason: "failed" })).toEqual([
      { type: "error", errorText: "No." },
      { type: "finish", finishReason: "content-filter" },
    ]);
    expect(chunksOf([])).toEqual([]);
  });

  it("is server-sent events on the command line, and [DONE] is the last one", async () => {
    const output = await uiMessageOutput.open({});
    const printed = [
      ...output.push([{ events: eventsOf(started, succeeded, completed) }]),
      ...output.end(),
    ].join("");
    const frames = printed.split("\n\n");
    expect(frames.slice(-3)).toEqual(['data: {"type":"finish","finishReason":"stop"}', "data: [DONE]", ""]);
    expect(frames.slice(0, -1).every((frame) => /^data: [^\n]+$/.test(frame))).toBe(true);
  });
});
