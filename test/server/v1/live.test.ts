import { describe, expect, it, onTestFinished } from "vitest";
import { open } from "../../../src/live/open.js";
import type { Message } from "../support.js";
import { type Client, connect, liveClaude } from "./client.js";

/** A program that prints a line, and then waits to be stopped. */
const waits = `[agents.generic]
binary = ${JSON.stringify(process.execPath)}
extra_args = ["-e", "console.log('begun'); setInterval(() => {}, 1000)"]
`;

async function start(client: Client, path: string, body: object): Promise<string> {
  const { status, json, headers } = await client.post(path, body);
  expect([status, json["warnings"]]).toEqual([201, []]);
  expect(headers["location"]).toBe(`/api/v1/runs/${json["id"]}`);
  return String(json["id"]);
}

type Item = Message & { data: { type?: string; requestId?: string; seq: number } };

/** Follows a run as a program does: from where it was, until what it waits for has come. */
async function until(client: Client, id: string, type: string, after?: string): Promise<Item[]> {
  const found = await client.follow(
    `/runs/${id}/events`,
    ({ event, data }) => event === "end" || data["type"] === type,
    after === undefined ? {} : { "last-event-id": after },
  );
  return found as Item[];
}

const outcomeOf = async (client: Client, id: string) => (await client.get(`/runs/${id}?wait=60`)).json["run"];

describe("a live session of the API", () => {
  it("asks, is answered, takes messages, is interrupted and closed; its events are followed across connections", async () => {
    const client = await connect();
    const id = await start(client, "/sessions", { agent: "claude", prompt: "run make", permissions: "ask" });
    const first = await until(client, id, "request");
    const requestId = first.at(-1)?.data.requestId;
    expect((await client.get(`/runs/${id}/requests`)).json).toMatchObject({
      requests: [{ requestId, kind: "permission", operations: [{ type: "command", command: "make" }] }],
    });
    expect((await client.get("/requests")).json).toMatchObject({ requests: [{ runId: id, requestId }] });
    expect((await client.get("/status")).json).toMatchObject({ waiting: 1 });
    expect((await client.get(`/runs/${id}/session`)).json).toMatchObject({
      isBusy: true,
      requests: [requestId],
    });
    expect((await client.get("/runs?outcome=running")).json).toMatchObject({
      runs: [{ id, isAnswerable: true }],
    });
    expect((await client.get(`/runs/${id}?wait=0`)).json).toMatchObject({ run: { id, outcome: "running" } });
    const answers = `/runs/${id}/answers`;
    for (const answer of [{}, { allow: "yes" }, { allow: true, input: {} }, { answers: { q: ["a"] } }])
      expect(await client.refused("POST", answers, { requestId, answer })).toEqual([400, "invalid_answer"]);
    expect(await client.refused("POST", answers, { requestId })).toEqual([400, "bad_request"]);
    const messagesPath = `/runs/${id}/messages`;
    expect(await client.refused("POST", messagesPath, { prompt: "x", whileBusy: "reject" })).toEqual([
      409,
      "session_busy",
    ]);
    expect((await client.post(messagesPath, { prompt: "second" })).status).toBe(202);
    const answer = { requestId, answer: { allow: false, message: "not now" } };
    expect((await client.post(answers, answer)).json).toEqual({ requestId });
    expect(await client.refused("POST", answers, answer)).toEqual([409, "request_gone"]);
    const second = await until(client, id, "turn_end", first.at(-1)?.id);
    expect(JSON.stringify(second)).toContain("Denied: ");
    expect((await client.post(messagesPath, { prompt: "wait" })).status).toBe(202);
    const third = await until(client, id, "turn_end", second.at(-1)?.id);
    const fourth = await until(client, id, "turn", third.at(-1)?.id);
    expect((await client.post(`/runs/${id}/interrupt`)).json).toEqual({ id });
    const fifth = await until(client, id, "turn_end", fourth.at(-1)?.id);
    expect(fifth.at(-1)?.data).toMatchObject({ reason: "interrupted" });
    expect((await client.post(`/runs/${id}/close`)).status).toBe(202);
    const last = await until(client, id, "none", fifth.at(-1)?.id);
    expect(last.at(-1)).toMatchObject({ event: "end" });
    const seen = [first, second, third, fourth, fifth, last]
      .flat()
      .filter(({ event }) => event === "message");
    expect(seen.map(({ data }) => data.seq)).toEqual(seen.map((_, index) => index));
    expect(await client.refused("POST", messagesPath, { prompt: "more" })).toEqual([409, "session_gone"]);
    expect(await client.refused("POST", `/runs/${id}/cancel`)).toEqual([409, "not_ours"]);
    const { report } = (await client.get(`/runs/${id}`)).json as { report: object };
    expect(report).toMatchObject({
      turns: [{ prompt: "run make" }, { prompt: "second" }, { prompt: "wait" }],
    });
    const next = await start(client, "/sessions", { agent: "claude", prompt: "go on", resume: id });
    expect((await client.post(`/runs/${next}/cancel`)).json).toEqual({ id: next });
    expect(await outcomeOf(client, next)).toMatchObject({ outcome: "cancelled" });
  });

  it("can be one of another process", async () => {
    const client = await connect();
    const sessionsDirectory = client.server.directory;
    const session = open({ agent: "claude", binary: liveClaude, permissions: "ask", sessionsDirectory });
    onTestFinished(async () => void (await session.close()));
    session.send("edit");
    void (async () => {
      for await (const _ of session);
    })();
    await expect
      .poll(async () => (await client.get("/requests")).json["requests"])
      .toMatchObject([{ runId: session.runId }]);
    expect((await client.post(`/runs/${session.runId}/cancel`)).status).toBe(202);
    expect(await session.result).toMatchObject({ reason: "cancelled" });
  });
});

describe("a run of the API", () => {
  it("is followed, listed, waited for and cancelled", async () => {
    const client = await connect({}, waits);
    const body = { agent: "generic", prompt: "x", runId: "mine", timeoutMs: 60_000 };
    const id = await start(client, "/runs", body);
    expect(id).toBe("mine");
    expect(await client.refused("POST", "/runs", body)).toEqual([409, "run_id_taken"]);
    const [begun] = await client.follow(`/runs/${id}/events?format=events`, ({ data }) =>
      JSON.stringify(data).includes("begun"),
    );
    expect(begun?.event).toBe("message");
    // What is there now, without waiting for more.
    const { text } = await client.get(`/runs/${id}/events?follow=false`, { accept: "application/x-ndjson" });
    expect(text).toContain('"type":"started"');
    expect(text).not.toContain('"type":"exited"');
    expect(await client.refused("DELETE", `/runs/${id}`)).toEqual([409, "session_running"]);
    expect(await client.refused("GET", `/runs/${id}/session`)).toEqual([409, "session_gone"]);
    const seen = client.follow("/live", ({ data }) => JSON.stringify(data).includes('"outcome":"cancelled"'));
    const followed = client.follow(`/runs/${id}/events`);
    expect((await client.post(`/runs/${id}/cancel`)).json).toEqual({ id });
    expect(await outcomeOf(client, id)).toMatchObject({ id, outcome: "cancelled" });
    expect((await followed).at(-1)).toMatchObject({ event: "end", data: { outcome: "cancelled" } });
    expect((await seen)[0]?.event).toBe("list");
  });

  it("is refused where it is wrong, and starts nothing", async () => {
    const client = await connect({}, waits);
    const refused = (body: unknown, path = "/runs") => client.refused("POST", path, body);
    expect(await refused({ agent: "generic", prompt: " " })).toEqual([400, "empty_prompt"]);
    expect(await refused({ agent: "nobody", prompt: "x" })).toEqual([400, "unknown_agent"]);
    expect(await refused({ agent: "generic", prompt: "x", binary: "/bin/sh" })).toEqual([400, "bad_request"]);
    expect(await refused({ agent: "generic", prompt: "x", runId: "../x" })).toEqual([400, "bad_request"]);
    expect(await refused({ agent: "generic", prompt: "x", maxTurns: 2 })).toEqual([
      400,
      "unsupported_option",
    ]);
    expect(await refused({ agent: "generic", prompt: "x", permissions: "ask" })).toEqual([
      400,
      "bad_request",
    ]);
    expect(await refused({ agent: "generic", prompt: "x", resume: "../x" })).toEqual([
      404,
      "unknown_session",
    ]);
    for (const body of ["{", "[]", "null", '"x"', ""])
      for (const path of ["/runs", "/sessions"])
        expect(await refused(body, path)).toEqual([400, "bad_request"]);
    expect((await client.get("/runs")).json).toMatchObject({ total: 0 });
  });
});
