import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { EventOf, EventType, HarnessEvent } from "../../../src/events/event.js";
import { open } from "../../../src/live/open.js";
import { run } from "../../../src/live/run.js";
import type { SessionTask } from "../../../src/live/session-task.js";

/** A program made with the official SDK, behind `--agent acp -- node sdk-agent.mjs`. */
const command = [process.execPath, fileURLToPath(new URL("sdk-agent.mjs", import.meta.url))];
const patienceMs = 30_000;

function task(more: Partial<SessionTask> = {}): SessionTask {
  const sessionsDirectory = mkdtempSync(join(tmpdir(), "harness-acp-"));
  return { agent: "acp", extraArgs: command, permissions: "ask", sessionsDirectory, ...more };
}

async function play(prompts: readonly string[], more: Partial<SessionTask> = {}): Promise<HarnessEvent[]> {
  const session = open(task(more));
  const events: HarnessEvent[] = [];
  const reading = (async () => {
    for await (const event of session) events.push(event);
  })();
  for (const prompt of prompts) await session.send(prompt).result;
  await session.close();
  await reading;
  return events;
}

function only<T extends EventType>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

const texts = (events: readonly HarnessEvent[]) => only(events, "turn_end").map(({ text }) => text);

describe("an agent made with the official SDK", { timeout: patienceMs }, () => {
  it("is talked with in several turns", async () => {
    const events = await play(["say one", "say two"]);
    expect(texts(events)).toEqual(["one", "two"]);
    expect(only(events, "usage").at(-1)).toMatchObject({ totalTokens: 30, scope: "run" });
    expect(only(events, "result")[0]?.isSuccess).toBe(true);
  });

  it.each([
    [{ allow: true } as const, "answered with yes", "allowed"],
    [{ allow: true, always: true } as const, "answered with every-time", "allowed"],
    [{ allow: false } as const, "answered with no", "denied"],
  ])("gets the answer %j as the option of that kind", async (answer, text, outcome) => {
    const events = await play(["ask rm file"], { onRequest: () => answer });
    expect(texts(events)).toEqual([text]);
    expect(only(events, "request")[0]).toMatchObject({
      kind: "permission",
      operations: [{ type: "command", command: "rm file" }],
      choices: ["allow", "allow_always", "deny"],
    });
    expect(only(events, "request_end")[0]).toMatchObject({ outcome, by: "caller" });
  });

  it("gets the data of a form", async () => {
    const events = await play(["form", "form"], {
      onRequest: ({ requestId }) => (requestId === "0" ? { content: { name: "Ada" } } : { decline: true }),
    });
    expect(texts(events)).toEqual(['accept {"name":"Ada"}', "decline null"]);
    expect(only(events, "request").map(({ kind }) => kind)).toEqual(["form", "form"]);
  });

  it("is refused what harness does not offer, and goes on", async () => {
    expect(texts(await play(["files", "say still here"]))).toEqual(["code -32601", "still here"]);
  });

  it("fails a turn with its own words, and the session goes on", async () => {
    const events = await play(["fail 401 bad key", "say again"]);
    expect(only(events, "turn_end").map(({ reason, failure }) => failure?.message ?? reason)).toEqual([
      "401 bad key",
      "completed",
    ]);
  });

  it("is interrupted while it works, and while it waits for an answer", async () => {
    const session = open(task());
    const reasons: string[] = [];
    for (const [prompt, type] of [
      ["wait", "turn"],
      ["ask rm file", "request"],
    ] as const) {
      const turn = session.send(prompt);
      for await (const event of turn) if (event.type === type) void session.interrupt();
      reasons.push((await turn.result).reason);
    }
    reasons.push((await session.send("say after").result).reason);
    await session.close();
    expect(reasons).toEqual(["interrupted", "interrupted", "completed"]);
  });

  it("resumes a session, whose history is not emitted again", async () => {
    const events = await play(["say new"], { resume: "session-7" });
    expect(only(events, "agent").map(({ message }) => message)).toEqual(["new"]);
    expect(events.at(-1)?.sessionId).toBe("session-7");
  });

  it("cannot show a secret by sending it in two pieces, if secrets are masked", async () => {
    const env = { MY_API_KEY: "tr0ub4dor-and-3-horses" };
    const events = await play(["pieces it-is- tr0ub4dor- and-3-horses"], { env, redact: true });
    expect(texts(events)).toEqual(["it-is-[redacted MY_API_KEY]"]);
    expect(JSON.stringify(only(events, "text"))).not.toContain("horses");
  });

  it("is run like any other agent, with one prompt", async () => {
    const { onRequest: _, ...rest } = task({ permissions: "full-access" });
    const result = await run({ ...rest, prompt: "ask ls" }).result;
    expect(result).toMatchObject({ isSuccess: true, text: "answered with yes", sessionId: "session-1" });
  });

  it("says what is missing if no command is given", async () => {
    const session = open(task({ extraArgs: [] }));
    const result = await session.close();
    expect(result.failure?.message).toContain("has no program of its own");
  });
});
