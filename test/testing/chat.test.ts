import { describe, expect, it } from "vitest";
import {
  call,
  editFile,
  malformedCall,
  refusal,
  runCommand,
  say,
  think,
  turn,
} from "../../src/testing/index.js";
import { chatTools, post, postJson, readEvents, startModel } from "./support.js";

const tools = chatTools("read", "bash", "edit", "write");
const usage = { input: 100, cacheRead: 30, cacheWrite: 0, output: 25, reasoning: 5 };
const hello = [
  { role: "system", content: "You are a test." },
  { role: "user", content: [{ type: "text", text: "hello" }] },
];

function request(messages: object[], more: object = {}): object {
  return { model: "some-model", messages, tools, ...more };
}

describe("OpenAI Chat Completions", () => {
  it("streams reasoning, text and calls as deltas", async () => {
    const model = await startModel([
      turn([think("Hm."), say("Hello"), call(runCommand("ls")), call(editFile("a", "x", "y"))], { usage }),
    ]);
    const body = request(hello, { stream: true, stream_options: { include_usage: true } });
    const events = await readEvents(await post(model, "/v1/chat/completions", body));
    const parts = events.slice(0, -2).map(({ data }) => data.choices[0]);

    expect(events.at(-1)?.data).toBe("[DONE]");
    expect(parts[0].delta).toEqual({ role: "assistant", content: "" });
    expect(parts.map(({ delta }) => delta.reasoning_content ?? "").join("")).toBe("Hm.");
    expect(parts.map(({ delta }) => delta.content ?? "").join("")).toBe("Hello");
    const calls = parts.flatMap(({ delta }) => delta.tool_calls ?? []);
    expect(calls.filter(({ id }) => id !== undefined).map((one) => one.function.name)).toEqual([
      "bash",
      "edit",
    ]);
    expect(JSON.parse(argumentsOf(calls, 0))).toEqual({ command: "ls" });
    expect(JSON.parse(argumentsOf(calls, 1))).toEqual({ path: "a", edits: [{ oldText: "x", newText: "y" }] });
    expect(parts.at(-1).finish_reason).toBe("tool_calls");
  });

  it("counts cached tokens as a part of the prompt and reasoning as a part of the completion", async () => {
    const model = await startModel([turn([say("Hi")], { usage })]);
    const body = request(hello, { stream: true, stream_options: { include_usage: true } });
    const events = await readEvents(await post(model, "/v1/chat/completions", body));
    expect(events.at(-2)?.data).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 130,
        completion_tokens: 25,
        total_tokens: 155,
        prompt_tokens_details: { cached_tokens: 30 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    });
  });

  it("sends no usage in a stream unless it is requested", async () => {
    const model = await startModel([[say("Hi")]]);
    const events = await readEvents(
      await post(model, "/v1/chat/completions", request(hello, { stream: true })),
    );
    expect(events.some(({ data }) => data.usage !== undefined)).toBe(false);
  });

  it("answers with one JSON value if no stream is requested", async () => {
    const model = await startModel([turn([say("Hi."), call(runCommand("ls"))], { usage }), refusal("No.")]);
    const first = await postJson(model, "/v1/chat/completions", request(hello));
    const [choice] = first.choices;
    expect(first.usage.prompt_tokens).toBe(130);
    expect(choice).toMatchObject({
      finish_reason: "tool_calls",
      message: { role: "assistant", content: "Hi." },
    });

    const callId = choice.message.tool_calls[0].id;
    const messages = [...hello, choice.message, { role: "tool", tool_call_id: callId, content: "a.txt" }];
    const second = await postJson(model, "/v1/chat/completions", request(messages));
    expect(second.choices[0]).toMatchObject({ finish_reason: "content_filter", message: { content: "No." } });
    expect(model.requests[1]?.toolResults).toEqual([{ callId, tool: "bash", text: "a.txt" }]);
  });

  it("counts the parallel calls of a turn as one turn, even if the agent separates them", async () => {
    const model = await startModel([[call(runCommand("a")), call(runCommand("b"))], [say("Both done.")]]);
    const first = await postJson(model, "/v1/chat/completions", request(hello));
    const apart = first.choices[0].message.tool_calls.flatMap((one: { id: string }) => [
      { role: "assistant", content: null, tool_calls: [one] },
      { role: "tool", tool_call_id: one.id, content: `result of ${one.id}` },
    ]);
    const second = await postJson(model, "/v1/chat/completions", request([...hello, ...apart]));
    expect(second.choices[0].message.content).toBe("Both done.");
    expect(model.requests[1]?.toolResults).toHaveLength(2);
  });

  it("sends malformed arguments as they are", async () => {
    const model = await startModel([[malformedCall(runCommand("ls"), '{"command": "l')]]);
    const answer = await postJson(model, "/v1/chat/completions", request(hello));
    expect(answer.choices[0].message.tool_calls[0].function.arguments).toBe('{"command": "l');
    expect(model.requests[0]?.answer.calls[0]?.input).toBe('{"command": "l');
  });
});

function argumentsOf(calls: { index: number; function: { arguments: string } }[], index: number): string {
  return calls
    .filter((one) => one.index === index)
    .map((one) => one.function.arguments)
    .join("");
}
