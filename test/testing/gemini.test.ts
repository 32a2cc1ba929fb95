import { describe, expect, it } from "vitest";
import {
  call,
  malformedCall,
  rateLimited,
  readFile,
  runCommand,
  say,
  think,
  turn,
} from "../../src/testing/index.js";
import { post, postJson, readEvents, startModel } from "./support.js";

const functionDeclarations = ["run_shell_command", "read_file", "replace", "glob"].map((name) => ({ name }));
const usage = { input: 100, cacheRead: 30, cacheWrite: 0, output: 25, reasoning: 5 };
const hello = [{ role: "user", parts: [{ text: "hello" }] }];
const stream = "/v1beta/models/gemini-x:streamGenerateContent?alt=sse";
const whole = "/v1beta/models/gemini-x:generateContent";

function request(contents: object[], declarations: object[] = functionDeclarations): object {
  return {
    systemInstruction: { parts: [{ text: "You are a test." }] },
    contents,
    tools: [{ functionDeclarations: declarations }],
  };
}

describe("Gemini", () => {
  it("streams thoughts, text and calls as parts", async () => {
    const model = await startModel([
      turn([think("Hm."), say("Hello"), call(readFile("a.txt", [2, 4])), call(runCommand("ls"))], { usage }),
    ]);
    const events = await readEvents(await post(model, stream, request(hello)));
    const candidates = events.map(({ data }) => data.candidates[0]);
    const parts = candidates.flatMap(({ content }) => content.parts);

    expect(textOf(parts.filter(({ thought }) => thought === true))).toBe("Hm.");
    expect(textOf(parts.filter(({ thought, text }) => thought === undefined && text !== undefined))).toBe(
      "Hello",
    );
    expect(parts.flatMap(({ functionCall }) => functionCall ?? [])).toMatchObject([
      { name: "read_file", args: { file_path: "a.txt", start_line: 2, end_line: 4 } },
      { name: "run_shell_command", args: { command: "ls" } },
    ]);
    expect(
      candidates.map(({ finishReason }) => finishReason).filter((reason) => reason !== undefined),
    ).toEqual(["STOP"]);
    expect(events.at(-1)?.data.usageMetadata).toEqual({
      promptTokenCount: 130,
      cachedContentTokenCount: 30,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 5,
      totalTokenCount: 155,
    });
    expect(model.requests[0]).toMatchObject({ api: "gemini", model: "gemini-x", agent: "gemini" });
  });

  it("answers with one JSON value, and derives the next turn from the contents", async () => {
    const model = await startModel([[call(runCommand("ls"))], turn([say("Too lo")], { stop: "length" })]);
    const first = await postJson(model, whole, request(hello));
    const { content } = first.candidates[0];
    const { id, name } = content.parts[0].functionCall;
    const result = { functionResponse: { id, name, response: { output: "a.txt" } } };
    const second = await postJson(
      model,
      whole,
      request([...hello, content, { role: "user", parts: [result] }]),
    );
    expect(second.candidates[0]).toMatchObject({
      content: { parts: [{ text: "Too lo" }] },
      finishReason: "MAX_TOKENS",
    });
    expect(model.requests[1]?.toolResults).toEqual([{ callId: id, tool: name, text: "a.txt" }]);
  });

  it("reports a malformed call, since it cannot be sent", async () => {
    const model = await startModel([[malformedCall(runCommand("ls"))]]);
    const answer = await postJson(model, whole, request(hello));
    expect(answer.candidates[0]).toMatchObject({
      content: { parts: [] },
      finishReason: "MALFORMED_FUNCTION_CALL",
    });
  });

  it("submits the answer of a subagent through its tool", async () => {
    const model = await startModel([], {
      subagents: [{ prompt: "look around", turns: [[say("All quiet.")]] }],
    });
    const contents = [{ role: "user", parts: [{ text: "Now look around!" }] }];
    const answer = await postJson(
      model,
      whole,
      request(contents, [...functionDeclarations, { name: "complete_task" }]),
    );
    expect(answer.candidates[0].content.parts.at(-1).functionCall).toMatchObject({
      name: "complete_task",
      args: { result: { response: "All quiet." } },
    });
  });

  it("puts the retry delay into the error", async () => {
    const model = await startModel([rateLimited(2)]);
    const response = await post(model, stream, request(hello));
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({
      error: { code: 429, status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "2s" }] },
    });
  });

  it("counts tokens on request", async () => {
    const model = await startModel([]);
    expect(await postJson(model, "/v1beta/models/gemini-x:countTokens", {})).toEqual({
      totalTokens: 100,
    });
  });
});

function textOf(parts: { text: string }[]): string {
  return parts.map(({ text }) => text).join("");
}
