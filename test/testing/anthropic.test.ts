import { describe, expect, it } from "vitest";
import {
  call,
  malformedCall,
  readFile,
  refusal,
  runCommand,
  say,
  think,
  turn,
} from "../../src/testing/index.js";
import { post, postJson, readEvents, startModel } from "./support.js";

const tools = ["Bash", "Read", "Write", "Edit"].map((name) => ({ name, input_schema: { type: "object" } }));
const usage = { input: 100, cacheRead: 30, cacheWrite: 4, output: 25, reasoning: 5 };

function request(messages: object[], more: object = {}): object {
  return { model: "claude-x", max_tokens: 100, system: "You are a test.", messages, tools, ...more };
}

const hello = [{ role: "user", content: "hello" }];

describe("Anthropic Messages", () => {
  it("streams thinking, text and calls as blocks", async () => {
    const model = await startModel([
      turn(
        [
          think("Hm, so."),
          say("Hi 👋🏽!", { pieces: 2 }),
          call(readFile("a.txt", [3, 5])),
          call(runCommand("ls")),
        ],
        { usage },
      ),
    ]);
    const response = await post(model, "/v1/messages?beta=true", request(hello, { stream: true }));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = await readEvents(response);

    expect(events.every(({ event, data }) => event === data.type)).toBe(true);
    expect(events[0]?.data.message).toMatchObject({
      role: "assistant",
      model: "claude-x",
      content: [],
      stop_reason: null,
    });
    const blocks = events
      .filter(({ event }) => event === "content_block_start")
      .map(({ data }) => data.content_block.type);
    expect(blocks).toEqual(["thinking", "text", "tool_use", "tool_use"]);
    expect(deltas(events, 0)).toEqual(["Hm,", " so", ".", "c2NyaXB0ZWQ="]);
    expect(deltas(events, 1).join("")).toBe("Hi 👋🏽!");
    expect(JSON.parse(deltas(events, 2).join(""))).toEqual({ file_path: "a.txt", offset: 3, limit: 3 });
    expect(JSON.parse(deltas(events, 3).join(""))).toMatchObject({ command: "ls" });
    expect(events.at(-2)?.data.delta.stop_reason).toBe("tool_use");
    expect(events.at(-1)?.event).toBe("message_stop");
  });

  it("counts the three classes of input separately", async () => {
    const model = await startModel([turn([say("Hi")], { usage })]);
    const events = await readEvents(await post(model, "/v1/messages", request(hello, { stream: true })));
    const counted = { input_tokens: 100, cache_read_input_tokens: 30, cache_creation_input_tokens: 4 };
    expect(events[0]?.data.message.usage).toEqual({ ...counted, output_tokens: 1 });
    expect(events.at(-2)?.data.usage).toEqual({
      ...counted,
      output_tokens: 25,
      output_tokens_details: { thinking_tokens: usage.reasoning },
    });
    expect(model.requests[0]?.answer.usage).toEqual(usage);
  });

  it("answers with one JSON message if no stream is requested", async () => {
    const model = await startModel([turn([think("Hm."), say("Hi."), call(runCommand("ls"))], { usage })]);
    const message = await postJson(model, "/v1/messages", request(hello));
    expect(message).toMatchObject({
      type: "message",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "Hi." },
        { type: "tool_use", name: "Bash", input: { command: "ls" } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 100, output_tokens: 25 },
    });
  });

  it("derives the next turn from the history, and records the tool results", async () => {
    const model = await startModel([[call(runCommand("ls"))], [say("Done.")]]);
    const first = await postJson(model, "/v1/messages", request(hello));
    const result = {
      type: "tool_result",
      tool_use_id: first.content[0].id,
      content: [{ type: "text", text: "a.txt" }],
      is_error: false,
    };
    const messages = [
      ...hello,
      { role: "assistant", content: first.content },
      { role: "user", content: [result] },
    ];
    const second = await postJson(model, "/v1/messages", request(messages));
    expect(second).toMatchObject({ content: [{ type: "text", text: "Done." }], stop_reason: "end_turn" });
    expect(model.requests[1]).toMatchObject({
      agent: "claude",
      step: 1,
      toolResults: [{ callId: first.content[0].id, tool: "Bash", text: "a.txt", isError: false }],
    });
  });

  it("uses its own stop reasons", async () => {
    const model = await startModel([refusal(), turn([say("Too lo")], { stop: "length" })]);
    expect(await postJson(model, "/v1/messages", request(hello))).toMatchObject({
      stop_reason: "refusal",
    });
    const messages = [...hello, { role: "assistant", content: "No." }, { role: "user", content: "Please." }];
    expect(await postJson(model, "/v1/messages", request(messages))).toMatchObject({
      stop_reason: "max_tokens",
    });
  });

  it("sends malformed arguments as they are", async () => {
    const model = await startModel([
      [malformedCall(runCommand("ls")), malformedCall(runCommand("ls"), "{oops")],
    ]);
    const events = await readEvents(await post(model, "/v1/messages", request(hello, { stream: true })));
    expect(() => JSON.parse(deltas(events, 0).join(""))).toThrow();
    expect(deltas(events, 1).join("")).toBe("{oops");
  });

  it("answers requests that are not messages", async () => {
    const model = await startModel([]);
    expect((await fetch(model.url, { method: "HEAD" })).status).toBe(200);
    expect(await postJson(model, "/v1/messages/count_tokens", request(hello))).toEqual({
      input_tokens: 100,
    });
    expect((await fetch(`${model.url}/v1/models`)).status).toBe(200);
    expect((await fetch(`${model.url}/nowhere`)).status).toBe(404);
    expect(model.requests.map(({ method, answer }) => [method, answer.kind, answer.status])).toEqual([
      ["HEAD", "other", 200],
      ["POST", "other", 200],
      ["GET", "other", 200],
      ["GET", "other", 404],
    ]);
  });
});

function deltas(events: Awaited<ReturnType<typeof readEvents>>, index: number): string[] {
  return events
    .filter(({ event, data }) => event === "content_block_delta" && data.index === index)
    .map(({ data: { delta } }) => delta.text ?? delta.thinking ?? delta.partial_json ?? delta.signature);
}
