import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { open } from "../../src/live/open.js";
import type { RunList, RunRow, SessionHere } from "../../src/server/protocol.js";
import {
  type Answer,
  ask,
  type Message,
  messages,
  record,
  startTestServer,
  type TestServer,
} from "./support.js";

const liveClaude = fileURLToPath(new URL("./live-claude.mjs", import.meta.url));

async function serve(): Promise<TestServer & { post(path: string, body?: unknown): Promise<Answer> }> {
  const server = await startTestServer({ trust: true });
  writeFileSync(
    join(server.directory, "..", "harness.toml"),
    `[agents.claude]\nbinary = ${JSON.stringify(liveClaude)}\n`,
  );
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const post = (path: string, body: unknown = {}) =>
    ask(server, path, { method: "POST", headers, body: JSON.stringify(body) });
  return { ...server, post };
}

type Served = Awaited<ReturnType<typeof serve>>;

async function start(server: Served, body: object): Promise<string> {
  const answer = await server.post("/api/sessions", { agent: "claude", ...body });
  expect(answer).toMatchObject({ status: 201 });
  return JSON.parse(answer.text).id;
}

/** The state of a session, once it is as wanted. */
async function until(server: Served, id: string, isIt: (state: SessionHere) => boolean): Promise<void> {
  await expect.poll(() => stateOf(server, id), { timeout: 10_000 }).toSatisfy(isIt);
}

async function stateOf(server: Served, id: string): Promise<SessionHere> {
  return JSON.parse((await server.get(`/api/runs/${id}/session`)).text);
}

/** Before the agent is ready, the first prompt waits in the queue. */
const isIdle = ({ isBusy, queue }: SessionHere): boolean => !isBusy && queue.length === 0;

const isEvent = (type: string) => (message: Message) =>
  message.event === "steps" && JSON.stringify(message.data).includes(`"type":"${type}"`);

describe("a live session that was started from the page", () => {
  it("asks, is answered, takes prompts into its queue, and ends", async () => {
    const server = await serve();
    const id = await start(server, { prompt: "run make", permissions: "ask" });
    await until(server, id, ({ requests }) => requests.length === 1);
    const { requests, isBusy } = await stateOf(server, id);
    expect(isBusy).toBe(true);
    expect((await server.post(`/api/runs/${id}/session/send`, { prompt: "second" })).status).toBe(202);
    expect((await stateOf(server, id)).queue).toMatchObject([{ prompt: "second" }]);
    const answer = { requestId: requests[0], answer: { allow: false, message: "not now" } };
    expect((await server.post(`/api/runs/${id}/session/answer`, answer)).status).toBe(202);
    const again = await server.post(`/api/runs/${id}/session/answer`, answer);
    expect([again.status, JSON.parse(again.text).code]).toEqual([404, "request_gone"]);
    await until(server, id, isIdle);
    expect((await server.post(`/api/runs/${id}/session/close`)).status).toBe(202);
    const seen = await messages(server, `/api/runs/${id}/stream`);
    const text = JSON.stringify(seen);
    expect(text).toContain("Denied: ");
    expect(text).toContain("second");
    const late = await server.post(`/api/runs/${id}/session/send`, { prompt: "more" });
    expect([late.status, JSON.parse(late.text).code]).toEqual([404, "session_gone"]);
  });

  it("can be interrupted, and goes on", async () => {
    const server = await serve();
    const id = await start(server, { prompt: "wait" });
    await until(server, id, ({ isBusy }) => isBusy);
    expect((await server.post(`/api/runs/${id}/session/interrupt`)).status).toBe(202);
    await until(server, id, ({ isBusy }) => !isBusy);
    await server.post(`/api/runs/${id}/session/send`, { prompt: "hello again" });
    await messages(server, `/api/runs/${id}/stream`, (message) =>
      JSON.stringify(message).includes("hello again"),
    );
  });

  it("says in its stream and in the list what it waits for", async () => {
    const server = await serve();
    const id = await start(server, { prompt: "run make", permissions: "ask" });
    const seen = await messages(
      server,
      `/api/runs/${id}/stream`,
      ({ event, data }) =>
        event === "session" && Array.isArray(data?.["requests"]) && data["requests"].length > 0,
    );
    expect(seen.at(-1)?.data).toMatchObject({ isBusy: true, can: { ask: true }, queue: [] });
    // A page in the background asks this, and has no stream.
    expect(JSON.parse((await server.get("/api/waiting")).text)).toEqual({ waiting: 1 });
    const isWaiting = ({ requests, isAnswerable, isLive, isOurs }: RunRow): boolean =>
      requests === 1 && isAnswerable === true && isLive === true && isOurs === true;
    await messages(server, "/api/live", ({ event, data }) => {
      const rows = event === "change" ? (data["changed"] as RunRow[]) : (data as never as RunList).runs;
      return (rows ?? []).some(isWaiting);
    });
  });

  it("goes on with a recording: its directory, its agent, its session", async () => {
    const server = await serve();
    const first = await start(server, { prompt: "hello" });
    await until(server, first, isIdle);
    await server.post(`/api/runs/${first}/session/close`);
    await messages(server, `/api/runs/${first}/stream`);
    const id = await start(server, { prompt: "go on", resume: first });
    const [about] = await messages(server, `/api/runs/${id}/stream`, isEvent("agent"));
    expect(JSON.stringify(about?.data)).toContain("11111111-2222-4333-8444-555555555555");
    const body = { agent: "codex", prompt: "x", resume: first };
    const other = await server.post("/api/sessions", body);
    expect(JSON.parse(other.text)).toMatchObject({ code: "no_session" });
    for (const resume of ["../key", "20200101-000000-abcdef"])
      expect((await server.post("/api/sessions", { ...body, resume })).status).toBe(404);
  });
});

describe("a live session of another process", () => {
  it("is answered through the address in its sidecar", async () => {
    const server = await serve();
    const session = open({
      agent: "claude",
      binary: liveClaude,
      permissions: "ask",
      sessionsDirectory: server.directory,
    });
    onTestFinished(async () => void (await session.close()));
    session.send("edit");
    const drained = (async () => {
      for await (const _ of session);
    })();
    await until(server, session.runId, ({ requests }) => requests?.length === 1);
    const { requests } = await stateOf(server, session.runId);
    const answer = { requestId: requests[0], answer: { allow: true } };
    expect((await server.post(`/api/runs/${session.runId}/session/answer`, answer)).status).toBe(202);
    await until(server, session.runId, ({ isBusy }) => !isBusy);
    await server.post(`/api/runs/${session.runId}/session/close`);
    await drained;
    expect((await session.result).text).toBe("Allowed.");
  });
});

describe("what is refused", () => {
  it("an answer that is none, a prompt that is empty, a body that is wrong", async () => {
    const server = await serve();
    const id = await start(server, { prompt: "run make", permissions: "ask" });
    await until(server, id, ({ requests }) => requests.length === 1);
    const [requestId] = (await stateOf(server, id)).requests;
    const codeOf = async (path: string, body: unknown) =>
      JSON.parse((await server.post(`/api/runs/${id}/session/${path}`, body)).text).code;
    for (const answer of [
      {},
      { allow: "yes" },
      { allow: true, input: { command: "rm" } },
      { answers: { q: ["a"] } },
    ])
      expect(await codeOf("answer", { requestId, answer })).toBe("invalid_answer");
    expect(await codeOf("answer", { requestId })).toBe("bad_request");
    expect(await codeOf("send", { prompt: " " })).toBe("empty_prompt");
    expect(await codeOf("send", { text: "x" })).toBe("bad_request");
    expect(await codeOf("send", undefined)).toBe("bad_request");
    expect((await stateOf(server, id)).requests).toEqual([requestId]);
  });

  it("a run that is no session, and a run that is none", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "files");
    for (const each of [id, "20200101-000000-abcdef", "..%2fkey"])
      for (const verb of ["send", "answer", "interrupt", "model", "close"]) {
        const body = { prompt: "x", requestId: "x", answer: { allow: true }, model: "x" };
        const wanted = { send: ["prompt"], answer: ["requestId", "answer"], model: ["model"] }[verb] ?? [];
        const sent = Object.fromEntries(Object.entries(body).filter(([key]) => wanted.includes(key)));
        expect((await server.post(`/api/runs/${each}/session/${verb}`, sent)).status).toBe(404);
      }
  });
});
