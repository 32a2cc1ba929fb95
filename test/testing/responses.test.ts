import { describe, expect, it } from "vitest";
import {
  call,
  delegate,
  patch,
  readFile,
  refusal,
  runCommand,
  say,
  think,
  turn,
} from "../../src/testing/index.js";
import { post, postJson, readEvents, startModel } from "./support.js";

const tools = [
  { type: "function", name: "exec_command", parameters: {} },
  { type: "custom", name: "apply_patch" },
  {
    type: "namespace",
    name: "multi_agent_v1",
    tools: [
      { type: "function", name: "spawn_agent" },
      { type: "function", name: "wait_agent" },
    ],
  },
  { type: "web_search" },
];
const usage = { input: 100, cacheRead: 30, cacheWrite: 4, output: 25, reasoning: 5 };
const hello = [{ type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] }];

function request(input: object[], more: object = {}): object {
  return { model: "gpt-x", instructions: "You are a test.", input, tools, ...more };
}

describe("OpenAI Responses", () => {
  it("streams reasoning, text, function calls and freeform calls as items", async () => {
    const added = { kind: "add", path: "a.ts", content: "1\n2\n" } as const;
    const model = await startModel([
      turn([think("Hm."), say("Hello"), call(readFile("a.txt")), call(patch(added))], { usage }),
    ]);
    const events = await readEvents(await post(model, "/v1/responses", request(hello, { stream: true })));

    expect(events.every(({ event, data }) => event === data.type)).toBe(true);
    expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events[0]?.event).toBe("response.created");
    const items = events
      .filter(({ event }) => event === "response.output_item.done")
      .map(({ data }) => data.item);
    expect(items).toMatchObject([
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello" }] },
      { type: "function_call", name: "exec_command", arguments: '{"cmd":"cat a.txt"}' },
      {
        type: "custom_tool_call",
        name: "apply_patch",
        input: "*** Begin Patch\n*** Add File: a.ts\n+1\n+2\n*** End Patch",
      },
    ]);
    expect(joined(events, "response.output_text.delta")).toBe("Hello");
    expect(joined(events, "response.function_call_arguments.delta")).toBe('{"cmd":"cat a.txt"}');
    expect(events.at(-1)?.data.response).toMatchObject({ status: "completed", output: items });
  });

  it("counts cached and cache-written tokens as parts of the input", async () => {
    const model = await startModel([turn([say("Hi")], { usage })]);
    const events = await readEvents(await post(model, "/v1/responses", request(hello, { stream: true })));
    expect(events.at(-1)?.data.response.usage).toEqual({
      input_tokens: 134,
      input_tokens_details: { cached_tokens: 30, cache_write_tokens: 4 },
      output_tokens: 25,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 159,
    });
  });

  it("answers with one JSON value, and derives the next turn from the items", async () => {
    const model = await startModel([
      [say("Look."), call(runCommand("a")), call(runCommand("b"))],
      refusal("No."),
    ]);
    const first = await postJson(model, "/v1/responses", request(hello));
    expect(first).toMatchObject({ object: "response", status: "completed" });
    const outputs = first.output
      .filter(({ type }: { type: string }) => type === "function_call")
      .map(({ call_id }: { call_id: string }) => ({ type: "function_call_output", call_id, output: "ok" }));
    const second = await postJson(model, "/v1/responses", request([...hello, ...first.output, ...outputs]));
    expect(second).toMatchObject({ status: "incomplete", incomplete_details: { reason: "content_filter" } });
    expect(model.requests[1]?.toolResults.map(({ tool, text }) => [tool, text])).toEqual([
      ["exec_command", "ok"],
      ["exec_command", "ok"],
    ]);
  });

  it("does not count the rest of an interrupted answer", async () => {
    const model = await startModel([[say("First.")], [say("Second.")]]);
    const left = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Fir" }] };
    const answer = await postJson(model, "/v1/responses", request([...hello, left]));
    expect(answer.output[0].content[0].text).toBe("First.");
  });

  it("sends the namespace of a tool, and waits for a subagent before the script continues", async () => {
    const model = await startModel([[call(delegate("Look", "look around"))], [say("Done.")]]);
    const first = await postJson(model, "/v1/responses", request(hello));
    expect(first.output[0]).toMatchObject({ name: "spawn_agent", namespace: "multi_agent_v1" });

    const spawned = {
      type: "function_call_output",
      call_id: first.output[0].call_id,
      output: '{"agent_id":"agent-1"}',
    };
    const afterSpawn = [...hello, ...first.output, spawned];
    const second = await postJson(model, "/v1/responses", request(afterSpawn));
    expect(second.output[0]).toMatchObject({ name: "wait_agent", namespace: "multi_agent_v1" });
    expect(JSON.parse(second.output[0].arguments)).toMatchObject({ targets: ["agent-1"] });

    const waited = {
      type: "function_call_output",
      call_id: second.output[0].call_id,
      output: '{"status":{"agent-1":{}}}',
    };
    const third = await postJson(model, "/v1/responses", request([...afterSpawn, ...second.output, waited]));
    expect(third.output[0].content[0].text).toBe("Done.");
    expect(model.requests.map(({ answer }) => answer.kind)).toEqual(["turn", "followUp", "turn"]);
  });

  it("accepts plain text as the whole input", async () => {
    const model = await startModel([[say("Hi.")]]);
    const answer = await postJson(model, "/v1/responses", { model: "gpt-x", input: "hello" });
    expect(answer.output[0].content[0].text).toBe("Hi.");
  });
});

function joined(events: Awaited<ReturnType<typeof readEvents>>, type: string): string {
  return events
    .filter(({ event }) => event === type)
    .map(({ data }) => data.delta)
    .join("");
}
