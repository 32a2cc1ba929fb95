import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { HttpAgent } from "@ag-ui/client";
import { createAdaptorServer } from "@hono/node-server";
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { agents } from "../../src/agents/registry.js";
import { HarnessError } from "../../src/errors.js";
import type { HarnessEvent } from "../../src/events/event.js";
import { run } from "../../src/live/run.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { type ResponseFormat, toResponse } from "../../src/outputs/to-response.js";
import { programThatReplays } from "../cli/harness.js";
import { readCapture, translateCapture } from "../support/captures.js";
import { completed, eventsOf, exitedWithOne, failed, started, succeeded } from "./support.js";

const hostile = 'data: {"type":"finish"}\n\nevent: end\r\n\r\n: [DONE]\u2028\u001b[31m';

const events = eventsOf(
  started,
  { type: "text", delta: "I look.", messageId: "m1" },
  { type: "agent", message: "I look.", messageId: "m1" },
  { type: "tool_start", callId: "c1", name: "Read", input: { path: "a.ts" } },
  { type: "tool_end", callId: "c1", name: "Read", isSuccess: true, output: hostile },
  { type: "agent", message: hostile },
  succeeded,
  completed,
);

async function* each(given: readonly HarnessEvent[]): AsyncGenerator<HarnessEvent> {
  yield* given;
}

/** Yields some events and then fails. */
async function* breaking(given: readonly HarnessEvent[], error: Error): AsyncGenerator<HarnessEvent> {
  yield* given;
  throw error;
}

/** The data of server-sent events, as any reader of them cuts the text. */
function dataOf(text: string): string[] {
  return text.split("\n\n").flatMap((frame) => (frame.startsWith("data: ") ? [frame.slice(6)] : []));
}

const json = (data: readonly string[]) =>
  data.filter((each) => each !== "[DONE]").map((each) => JSON.parse(each));

/** Serves what a route returns, and closes it after the test. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe("toResponse", () => {
  it("serves ui-message as the AI SDK expects it, and text cannot break out of its event", async () => {
    const response = toResponse(each(events), "ui-message", { headers: { "x-mine": "1" }, status: 201 });
    expect(response.status).toBe(201);
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      "x-mine": "1",
      "x-vercel-ai-ui-message-stream": "v1",
    });
    const text = await response.text();
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(json(dataOf(text)).map(({ type }) => type)).toEqual([
      "start",
      "start-step",
      "text-start",
      "text-delta",
      "text-end",
      "tool-input-start",
      "tool-input-available",
      "tool-output-available",
      "finish-step",
      "start-step",
      "text-start",
      "text-delta",
      "text-end",
      "finish-step",
      "message-metadata",
      "finish",
    ]);
    expect(text).not.toMatch(/[\u001b\u2028\r]/);
  });

  it("is read by the AI SDK's own transport from a route of three lines", async () => {
    const app = new Hono();
    app.post("/", () => toResponse(each(events), "ui-message"));
    const url = await listen(createAdaptorServer(app) as Server);
    const transport = new DefaultChatTransport({ api: url });
    const stream = await transport.sendMessages({
      trigger: "submit-message",
      chatId: "c",
      messageId: undefined,
      messages: [{ id: "u1", role: "user", parts: [{ type: "text", text: "Hi" }] }],
      abortSignal: undefined,
    });
    let message: UIMessage | undefined;
    for await (const state of readUIMessageStream({ stream, terminateOnError: true })) message = state;
    expect(message?.id).toBe("r1");
    expect(message?.parts.flatMap((part) => (part.type === "text" ? [part.text] : []))).toEqual([
      "I look.",
      hostile,
    ]);
    expect(message?.parts.find((part) => part.type === "dynamic-tool")).toMatchObject({
      toolName: "Read",
      state: "output-available",
      input: { path: "a.ts" },
      output: hostile,
    });
  });

  it("is read by AG-UI's own client from a server without a framework", async () => {
    const url = await listen(
      createServer(async (request, answer) => {
        const { threadId, runId } = JSON.parse(
          await new Response(Readable.toWeb(request) as ReadableStream).text(),
        );
        const response = toResponse(each(events), "ag-ui", { threadId, runId });
        answer.writeHead(response.status, Object.fromEntries(response.headers));
        pipeline(Readable.fromWeb(response.body as never), answer, () => undefined);
      }),
    );
    const agent = new HttpAgent({ url, threadId: "thread-1" });
    const seen: string[] = [];
    const { result } = await agent.runAgent(
      { runId: "mine" },
      { onEvent: ({ event }) => void seen.push(event.type) },
    );
    expect(result).toBeUndefined();
    expect(seen[0]).toBe("RUN_STARTED");
    expect(seen.at(-1)).toBe("RUN_FINISHED");
    expect(agent.messages.map(({ role }) => role)).toEqual(["assistant", "assistant", "tool", "assistant"]);
    expect(agent.messages.at(-1)?.content).toBe(hostile);
  });

  it("serves other formats as lines, in the order that they always have", async () => {
    const claude = agents.find(({ id }) => id === "claude");
    if (claude === undefined) throw new Error("no claude");
    const steps = translateCapture(claude, readCapture("claude", "2.1.325-subagent"));
    const all = steps.flatMap((step) => step.events);
    const recorded = {
      async *batches() {
        yield steps;
      },
      [Symbol.asyncIterator]: () => each(all),
    };
    for (const format of ["full", "events", "ndjson", "run-events", "json"] as const) {
      const response = toResponse(recorded, format);
      expect(response.headers.get("content-type")).toBe("application/x-ndjson");
      const lines = (await response.text()).trimEnd().split("\n");
      expect(lines.map((line) => JSON.parse(line))).toEqual(
        JSON.parse(JSON.stringify(formatEvents(format, all))),
      );
    }
  });

  it("refuses a format that does not exist, and says which there are", () => {
    for (const wrong of ["sse", "toString", "", undefined, null, 1])
      expect(() => toResponse(each(events), wrong as ResponseFormat)).toThrow(
        expect.objectContaining({
          code: "unknown_format",
          message: expect.stringContaining("ui-message, ag-ui, events"),
        }),
      );
  });

  it("ends validly when the events break off or reading them fails", async () => {
    const cut = events.slice(0, 4);
    const unreadable = new HarnessError("unreadable_recording", "the recording cannot be read");
    const secret = new Error("ENOENT /home/me/secret");
    const ends = async (source: AsyncIterable<HarnessEvent>, format: ResponseFormat, options = {}) =>
      json(dataOf(await toResponse(source, format, options).text()));

    expect((await ends(each(cut), "ui-message")).slice(-3)).toEqual([
      expect.objectContaining({ type: "tool-output-error", toolCallId: "c1" }),
      { type: "finish-step" },
      { type: "abort", reason: "the stream ended before the run did" },
    ]);
    expect((await ends(breaking(cut, unreadable), "ui-message")).slice(-2)).toEqual([
      { type: "error", errorText: "the recording cannot be read" },
      { type: "finish", finishReason: "error" },
    ]);
    const masked = await ends(breaking([], secret), "ui-message");
    expect(masked.map(({ type }) => type)).toEqual(["start", "error", "finish"]);
    expect(JSON.stringify(masked)).not.toContain("secret");
    expect(await ends(breaking([], secret), "ag-ui", { onError: () => "Sorry." })).toEqual([
      expect.objectContaining({ type: "RUN_STARTED" }),
      expect.objectContaining({ type: "RUN_ERROR", message: "Sorry." }),
    ]);
    expect((await ends(each([]), "ag-ui")).map(({ type }) => type)).toEqual(["RUN_STARTED", "RUN_ERROR"]);
    // Lines have no place for an error: the reader must notice that something is missing.
    await expect(toResponse(breaking(cut, secret), "full").text()).rejects.toThrow("ENOENT");
  });

  it("says how a run failed", async () => {
    const wrong = eventsOf(started, failed("It crashed."), exitedWithOne);
    const ui = json(dataOf(await toResponse(each(wrong), "ui-message").text()));
    expect(ui.slice(-2)).toEqual([
      { type: "error", errorText: "It crashed." },
      { type: "finish", finishReason: "error" },
    ]);
    const agUi = json(dataOf(await toResponse(each(wrong), "ag-ui").text()));
    expect(agUi.at(-1)).toMatchObject({ type: "RUN_ERROR", message: "It crashed.", code: "crash" });
  });

  it("serves one turn of a session as a whole", async () => {
    const turn = { turnId: "t2" };
    const one = eventsOf(
      { type: "turn", ...turn, prompt: "Go on", origin: "user" },
      { type: "agent", ...turn, message: "Done." },
      { type: "usage", ...turn, scope: "turn", inputTokens: 5, outputTokens: 2, totalTokens: 7 },
      { type: "turn_end", ...turn, isSuccess: true, reason: "completed", text: "Done." },
    );
    const chunks = json(dataOf(await toResponse(each(one), "ui-message").text()));
    expect(chunks[0]).toMatchObject({ type: "start", messageId: "r1-t2" });
    expect(chunks.at(-2).messageMetadata).toMatchObject({
      usage: { totalTokens: 7 },
      outcome: { isSuccess: true },
    });
    expect(chunks.at(-1)).toEqual({ type: "finish", finishReason: "stop" });
    const items = json(dataOf(await toResponse(each(one), "ag-ui").text()));
    expect(items[0]).toMatchObject({ type: "RUN_STARTED", threadId: "r1", runId: "r1-t2" });
    expect(items.at(-1)).toMatchObject({
      type: "RUN_FINISHED",
      result: "Done.",
      usage: [{ totalTokens: 7 }],
    });
  });

  it("reads only what is read from it", async () => {
    let asked = 0;
    const source: AsyncIterable<HarnessEvent> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          const value = events[asked];
          asked += 1;
          return value === undefined ? { done: true, value } : { done: false, value };
        },
      }),
    };
    const reader = toResponse(source, "full").body?.getReader();
    expect(asked).toBe(0);
    await reader?.read();
    await reader?.read();
    expect(asked).toBe(2);
  });

  it("sends comments while the agent is silent, which readers ignore", async () => {
    let speak = () => {};
    const silence = new Promise<void>((resolve) => {
      speak = resolve;
    });
    async function* slow(): AsyncGenerator<HarnessEvent> {
      await silence;
      yield* events;
    }
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of toResponse(slow(), "ui-message", { heartbeatMs: 1 }).body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (text.startsWith(":\n\n:\n\n")) speak();
    }
    expect(json(dataOf(text)).at(-1)).toEqual({ type: "finish", finishReason: "stop" });
  });

  it("leaves a run as `break` does when the reader goes away: the run goes on", async () => {
    const task = run({
      agent: "claude",
      prompt: "Hi",
      binary: programThatReplays("claude", "2.1.325-text"),
      log: false,
    });
    const reasons: unknown[] = [];
    const { body } = toResponse(task, "ui-message", { onCancel: (reason) => void reasons.push(reason) });
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel("closed");
    expect(reasons).toEqual(["closed"]);
    expect(await task.result).toMatchObject({ isSuccess: true });
  });

  it("leaves at once even if the agent is silent, and hears of a client of node:http that went away", async () => {
    let isLeft = () => {};
    const left = new Promise<void>((resolve) => {
      isLeft = resolve;
    });
    let sent = 0;
    const silent: AsyncIterable<HarnessEvent> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          const value = events[sent];
          sent += 1;
          return sent === 1 && value !== undefined
            ? Promise.resolve({ done: false as const, value })
            : new Promise<never>(() => {});
        },
        return: async () => {
          isLeft();
          return { done: true, value: undefined };
        },
      }),
    };
    const url = await listen(
      createServer((_, answer) => {
        const response = toResponse(silent, "ag-ui");
        answer.writeHead(response.status, Object.fromEntries(response.headers));
        pipeline(Readable.fromWeb(response.body as never), answer, () => undefined);
      }),
    );
    const controller = new AbortController();
    const { body } = await fetch(url, { signal: controller.signal });
    await body?.getReader().read();
    controller.abort();
    await left;
  });
});
