import { describe, expect, it } from "vitest";
import {
  call,
  cutConnection,
  hang,
  httpError,
  rateLimited,
  runCommand,
  say,
  slow,
} from "../../src/testing/index.js";
import { chatTools, parseEvents, post, startModel } from "./support.js";

const tools = chatTools("read", "bash", "edit", "write");
const body = { model: "m", stream: true, messages: [{ role: "user", content: "hello" }], tools };
const afterAnswer = [
  ...body.messages,
  { role: "assistant", content: "…" },
  { role: "user", content: "And?" },
];
const path = "/v1/chat/completions";

describe("faults", () => {
  it("answer in place of the next turn as often as specified", async () => {
    const model = await startModel([
      httpError(500, "Oh no", 2),
      httpError(503, { own: "shape" }, 1),
      [say("Fine.")],
    ]);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await post(model, path, body)).status);
    expect(statuses).toEqual([500, 500, 503, 200]);
    expect(model.requests.map(({ answer }) => answer.kind)).toEqual(["fault", "fault", "fault", "turn"]);
    expect(model.requests.map(({ step }) => step)).toEqual([0, 0, 0, 0]);
  });

  it("last forever unless they are limited", async () => {
    const model = await startModel([httpError(401)]);
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await post(model, path, body)).status).toBe(401);
  });

  it.each([
    ["/v1/messages", { type: "error", error: { type: "authentication_error", message: "Bad key" } }],
    [
      "/v1/chat/completions",
      { error: { message: "Bad key", type: "invalid_request_error", param: null, code: "invalid_api_key" } },
    ],
    [
      "/v1/responses",
      { error: { message: "Bad key", type: "invalid_request_error", param: null, code: "invalid_api_key" } },
    ],
    [
      "/v1beta/models/m:generateContent",
      { error: { code: 401, message: "Bad key", status: "UNAUTHENTICATED" } },
    ],
  ])("have the error format of %s", async (where, error) => {
    const model = await startModel([httpError(401, "Bad key")]);
    const response = await post(model, where, {});
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual(error);
  });

  it("say when to retry after a rate limit", async () => {
    const model = await startModel([rateLimited(7), [say("Fine.")]]);
    const limited = await post(model, path, body);
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"]);
    expect((await post(model, path, body)).status).toBe(200);
  });

  it("cut the connection in the middle of the last piece, after the pieces before it", async () => {
    const model = await startModel([cutConnection([say("Whole."), call(runCommand("ls"))]), [say("Fine.")]]);
    const { text, isWhole } = await readUntilCut(await post(model, path, body));
    expect(isWhole).toBe(false);
    const deltas = parseEvents(text).map(({ data }) => data.choices[0].delta);
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe("Whole.");
    const json = deltas
      .flatMap(({ tool_calls }) => tool_calls ?? [])
      .map((one) => one.function.arguments)
      .join("");
    expect('{"command":"ls"}'.startsWith(json) && json.length > 0 && json.length < 16).toBe(true);
    expect(model.requests[0]?.answer).toMatchObject({ kind: "fault", isComplete: false });
    expect((await readUntilCut(await post(model, path, body))).isWhole).toBe(true);
  });

  it("leave a text block unfinished when they cut it", async () => {
    const model = await startModel([cutConnection([say("This is ")])]);
    const response = await post(model, "/v1/messages", { model: "m", stream: true, messages: body.messages });
    const { text } = await readUntilCut(response);
    expect(text).toContain("text_delta");
    expect(text).not.toContain("content_block_stop");
  });

  it("cut an answer that is not streamed before it starts", async () => {
    const model = await startModel([cutConnection([say("This is ")])]);
    await expect(post(model, path, { ...body, stream: false })).rejects.toThrow();
  });

  it("hang until the client gives up, before the first byte or later", async () => {
    const model = await startModel([[hang()], [say("Let me"), hang()]]);
    const abort = new AbortController();
    const silent = fetch(model.url + path, {
      method: "POST",
      body: JSON.stringify(body),
      signal: abort.signal,
    });
    await until(() => model.requests.length === 1);
    abort.abort();
    await expect(silent).rejects.toThrow();

    const response = await post(model, path, { ...body, messages: afterAnswer });
    const reader = response.body?.getReader();
    let seen = "";
    while (!seen.includes('"me"')) seen += new TextDecoder().decode((await reader?.read())?.value);
    expect(model.requests[1]?.answer.isComplete).toBe(false);
    const rest = reader?.read();
    await model.close();
    await expect(rest).rejects.toThrow();
  });

  it("delay the answer after them", async () => {
    const model = await startModel([[slow(300), say("Late.")], [say("Early.")]]);
    const order: string[] = [];
    const late = post(model, path, body).then(() => order.push("late"));
    await until(() => model.requests.length === 1);
    await post(model, path, { ...body, messages: afterAnswer }).then(() => order.push("early"));
    await late;
    expect(order).toEqual(["early", "late"]);
  });

  it("pause an answer at their position", async () => {
    const model = await startModel([[say("One", { pieces: 1 }), slow(100), say("Two", { pieces: 1 })]]);
    const response = await post(model, path, body);
    const chunks: string[] = [];
    for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk).toString());
    const first = chunks.findIndex((chunk) => chunk.includes("One"));
    expect(chunks.findIndex((chunk) => chunk.includes("Two"))).toBeGreaterThan(first);
  });
});

async function readUntilCut(response: Response): Promise<{ text: string; isWhole: boolean }> {
  let text = "";
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    return { text, isWhole: true };
  } catch {
    return { text, isWhole: false };
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
