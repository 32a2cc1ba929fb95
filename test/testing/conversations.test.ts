import { describe, expect, it } from "vitest";
import {
  call,
  custom,
  delegate,
  httpError,
  runCommand,
  say,
  totalUsage,
  turn,
} from "../../src/testing/index.js";
import { chatTools, type Json, post, startModel } from "./support.js";

const tools = chatTools("read", "bash", "edit", "write");

interface Answer {
  status: number;
  message: { role: string; content: string | null; tool_calls?: { id: string }[] };
}

interface Message {
  role: string;
  content: string | null;
  [field: string]: unknown;
}

describe("conversations", () => {
  it("in parallel each play the script from its start", async () => {
    const turns = Array.from({ length: 5 }, (_, step) => [call(runCommand(`echo ${step}`))]);
    const model = await startModel([...turns, [say("Done.")]]);
    const runs = Array.from({ length: 8 }, (_, index) => converse(model.url, `task ${index}`));
    expect(await Promise.all(runs)).toEqual(runs.map(() => "Done."));
    expect(model.requests).toHaveLength(8 * 6);
    expect(model.requests.map(({ number }) => number)).toEqual(model.requests.map((_, index) => index));
    expect(new Set(model.requests.map(({ conversation }) => conversation)).size).toBe(8);
  });

  it("in parallel each get the faults of the script", async () => {
    const model = await startModel([
      httpError(500, undefined, 1),
      [call(runCommand("ls"))],
      httpError(503, undefined, 2),
      [say("Done.")],
    ]);
    const runs = Array.from({ length: 4 }, (_, index) => converse(model.url, `task ${index}`));
    expect(await Promise.all(runs)).toEqual(runs.map(() => "Done."));
    expect(model.requests.filter(({ answer }) => answer.status === 500)).toHaveLength(4);
    expect(model.requests.filter(({ answer }) => answer.status === 503)).toHaveLength(8);
  });

  it("with the same text are distinguished by their session", async () => {
    const model = await startModel([httpError(500, undefined, 1), [say("Done.")]]);
    const statuses = await Promise.all(
      ["a", "b", "c"].map(
        async (session) => (await ask(model.url, [user("hello")], { "x-session-id": session })).status,
      ),
    );
    expect(statuses).toEqual([500, 500, 500]);
  });

  it("get the same turn again when they repeat a request", async () => {
    const model = await startModel([[call(runCommand("ls"))], [say("Done.")]]);
    const first = await ask(model.url, [user("hello")]);
    const again = await ask(model.url, [user("hello")]);
    expect(again.message).toEqual(first.message);
  });

  it("continue where they were when a session is resumed", async () => {
    const model = await startModel([[say("First.")], [say("Second.")]]);
    const first = await ask(model.url, [user("hello")]);
    const second = await ask(model.url, [user("hello"), first.message, user("and now?")]);
    expect(second.message.content).toBe("Second.");
  });

  it("get a final answer when the script is over", async () => {
    const model = await startModel([[say("First.")]]);
    const second = await ask(model.url, [
      user("hello"),
      { role: "assistant", content: "First." },
      user("and now?"),
    ]);
    expect(second.message.content).toBe("The script is over.");
    expect(model.requests[0]?.answer.kind).toBe("over");
  });

  it("of subagents play their own script", async () => {
    const model = await startModel([[call(delegate("Look", "TASK-7 look around"))], [say("Done.")]], {
      agent: "opencode",
      subagents: [{ prompt: "TASK-7", turns: [[call(runCommand("ls"))], [say("All quiet.")]] }],
    });
    const parent = await ask(model.url, [user("hello")]);
    expect(await converse(model.url, "Your task: TASK-7 look around")).toBe("All quiet.");
    const result = {
      role: "tool",
      tool_call_id: parent.message.tool_calls?.[0]?.id,
      content: "TASK-7: all quiet.",
    };
    expect((await ask(model.url, [user("hello"), parent.message, result])).message.content).toBe("Done.");
    expect(model.requests.map(({ subagent, step }) => [subagent, step])).toEqual([
      [undefined, 0],
      ["TASK-7", 0],
      ["TASK-7", 1],
      [undefined, 1],
    ]);
  });

  it("are not advanced by requests outside them", async () => {
    const model = await startModel([[say("Done.")]], { sideAnswer: "A fine title" });
    const title = { role: "system", content: "You are a title generator. You output ONLY a thread title." };
    expect((await ask(model.url, [title, user("hello")])).message.content).toBe("A fine title");
    expect((await ask(model.url, [user("hello")])).message.content).toBe("Done.");
    expect(model.requests.map(({ answer }) => answer.kind)).toEqual(["side", "turn"]);
  });

  it("add up to the tokens that were sent", async () => {
    const model = await startModel([
      turn([call(runCommand("ls"))], {
        usage: { input: 10, cacheRead: 5, cacheWrite: 2, output: 7, reasoning: 3 },
      }),
      httpError(500, undefined, 1),
      turn([say("Done.")], { usage: { input: 1, cacheRead: 1, cacheWrite: 1, output: 1, reasoning: 1 } }),
    ]);
    await converse(model.url, "hello");
    expect(totalUsage(model.requests)).toEqual({
      input: 11,
      cacheRead: 6,
      cacheWrite: 3,
      output: 8,
      reasoning: 4,
    });
  });

  it("are recorded without credentials", async () => {
    const model = await startModel([[say("Done.")]]);
    const headers = {
      authorization: "Bearer s3cret",
      "x-api-key": "s3cret",
      "x-goog-api-key": "s3cret",
      "x-session-id": "s1",
    };
    await ask(model.url, [user("hello")], headers, "?key=s3cret");
    const [request] = model.requests;
    expect(JSON.stringify(request)).not.toContain("s3cret");
    expect(request).toMatchObject({
      number: 0,
      method: "POST",
      headers: { "x-session-id": "s1" },
      body: { messages: [{ role: "user", content: "hello" }] },
      answer: { kind: "turn", status: 200, text: "Done.", isComplete: true },
    });
    expect(Date.parse(request?.time ?? "")).not.toBeNaN();
  });

  it("are refused with the reason if the agent has no tool for an action", async () => {
    const model = await startModel([[call(delegate("Look", "look around"))]]);
    const answer = await ask(model.url, [user("hello")]);
    expect(answer.status).toBe(400);
    expect(model.requests[0]?.answer.problem).toContain('pi has no tool for "delegate"');
  });

  it("need no known agent for calls by name", async () => {
    const model = await startModel([[call(custom("my_tool", { a: 1 }))]]);
    const response = await post(model, "/v1/chat/completions", {
      model: "m",
      messages: [user("hello")],
      tools: chatTools("my_tool"),
    });
    const answer: Json = await response.json();
    expect(answer.choices[0].message.tool_calls[0].function).toEqual({
      name: "my_tool",
      arguments: '{"a":1}',
    });
    expect(model.requests[0]?.agent).toBeUndefined();
  });
});

function user(content: string): Message {
  return { role: "user", content };
}

async function ask(
  url: string,
  messages: object[],
  headers: Record<string, string> = {},
  query = "",
): Promise<Answer> {
  const response = await fetch(`${url}/v1/chat/completions${query}`, {
    method: "POST",
    headers,
    body: JSON.stringify({ model: "m", messages, tools }),
  });
  const body: Json = await response.json();
  return { status: response.status, message: body.choices?.[0].message };
}

/** A minimal agent: sends a request, "runs" the calls, sends the next request, and retries after an error. */
async function converse(url: string, prompt: string): Promise<string | null> {
  const messages: object[] = [user(prompt)];
  for (let request = 0; request < 20; request += 1) {
    const { status, message } = await ask(url, messages);
    if (status !== 200) continue;
    if (message.tool_calls === undefined) return message.content;
    messages.push(
      message,
      ...message.tool_calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "ok" })),
    );
  }
  throw new Error("The conversation does not end.");
}
