import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { EventOf, EventType, HarnessEvent } from "../../src/events/event.js";
import { run } from "../../src/live/run.js";
import { watchSession } from "../../src/live/session-limits.js";
import type { SessionParts } from "../../src/live/session-parts.js";
import { recordings } from "../../src/runs/archive/recordings.js";
import { isAlive } from "../process/alive.js";
import { temporaryDirectory, testAgent } from "../runs/test-agent.js";
import { expectSoundSession } from "../support/live-conformance.js";
import { fakeAgent, fakeProgram, openFake } from "./support/fake-protocol.js";

function ofType<T extends EventType>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** Resolves when an event of this type has come. */
async function until<T extends EventType>(events: HarnessEvent[], type: T, count = 1): Promise<EventOf<T>> {
  for (;;) {
    const found = ofType(events, type)[count - 1];
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("turns", () => {
  it("run one after the other, each with its own events and result", async () => {
    const { session, events, all } = openFake();
    const first = session.send("say one");
    const second = session.send("say two");
    const seen: HarnessEvent[] = [];
    for await (const event of second) seen.push(event);
    expect(await first.result).toMatchObject({
      turnId: "turn_1",
      isSuccess: true,
      reason: "completed",
      text: "one",
    });
    expect(await second.result).toMatchObject({ text: "two", usage: { inputTokens: 10, scope: "turn" } });
    expect(seen.map(({ type }) => type)).toEqual(["turn", "agent", "usage", "turn_end"]);
    expect(seen.every(({ turnId }) => turnId === "turn_2")).toBe(true);
    expect(session.sessionId).toBe("fake-session");
    const result = await session.close();
    expect(result).toMatchObject({
      isSuccess: true,
      reason: "completed",
      text: "two",
      usage: { inputTokens: 20, scope: "run" },
    });
    expectSoundSession(await all());
    expect(ofType(events, "turn").map(({ prompt }) => prompt)).toEqual(["say one", "say two"]);
  });

  it("that are interrupted end so, and the session goes on with the queue", async () => {
    const { session, events, all } = openFake();
    const turn = session.send("sleep");
    const { message } = await until(events, "agent");
    const queued = session.send("say after");
    await session.interrupt();
    expect(await turn.result).toMatchObject({ isSuccess: false, reason: "interrupted" });
    expect(await queued.result).toMatchObject({ isSuccess: true, text: "after" });
    await expect.poll(() => isAlive(Number(message.split(" ")[1]))).toBe(false);
    await session.interrupt();
    expect((await session.close()).isSuccess).toBe(true);
    expectSoundSession(await all());
  });

  it("can be steered, and refuse a prompt while busy", async () => {
    const { session, events } = openFake();
    const turn = session.send("silent");
    await until(events, "turn");
    expect(session.send("left", { whileBusy: "steer" }).turnId).toBe(turn.turnId);
    expect((await until(events, "agent")).message).toBe("steered: left");
    expect(() => session.send("x", { whileBusy: "reject" })).toThrow(
      expect.objectContaining({ code: "session_busy" }),
    );
    await session.close();
    expect(await turn.result).toMatchObject({ reason: "interrupted" });
  });

  it("that the agent begins by itself are marked, and keep a prompt waiting", async () => {
    const { session, events, all } = openFake();
    await session.send("own").result;
    await until(events, "turn", 2);
    const next = session.send("say hello");
    expect(await next.result).toMatchObject({ text: "hello" });
    expect(ofType(events, "turn").map(({ origin, prompt }) => [origin, prompt])).toEqual([
      ["user", "own"],
      ["agent", undefined],
      ["user", "say hello"],
    ]);
    await session.close();
    expectSoundSession(await all());
  });

  it("are refused after close, and when they are empty", async () => {
    const { session } = openFake();
    expect(() => session.send("  ")).toThrow(expect.objectContaining({ code: "empty_prompt" }));
    expect(() => session.send("x", { whileBusy: "wait" as "queue" })).toThrow(
      expect.objectContaining({ code: "invalid_option", message: expect.stringContaining("queue, steer") }),
    );
    const waiting = session.send("silent");
    const queued = session.send("say never");
    await Promise.all([session.close(), session.close()]);
    expect(() => session.send("more")).toThrow(expect.objectContaining({ code: "session_closed" }));
    await expect(session.setModel("fake-2")).rejects.toMatchObject({ code: "session_closed" });
    expect((await waiting.result).reason).toBe("interrupted");
    expect((await queued.result).reason).toBe("interrupted");
  });

  it("end although nobody reads their events any more, and do not hold up the next one", async () => {
    const { session } = openFake();
    const turn = session.send("flood 60000");
    await turn[Symbol.asyncIterator]().next();
    await session.interrupt();
    await turn.result;
    expect(await session.send("say after").result).toMatchObject({ isSuccess: true, text: "after" });
    expect(await session.close()).toMatchObject({ isSuccess: true });
  });

  it("use another model after setModel", async () => {
    const { session, all } = openFake();
    await session.send("say one").result;
    await session.setModel("fake-2");
    await session.send("say two").result;
    await session.close();
    expect(ofType(await all(), "session").map(({ model }) => model)).toEqual(["fake-1", "fake-2"]);
  });
});

describe("requests", () => {
  it("wait for an answer, which is in the stream", async () => {
    const { session, events, all } = openFake();
    const turn = session.send("ask npm test");
    const { requestId } = await until(events, "request");
    expect(session.requests).toHaveLength(1);
    session.answer(requestId, { allow: true });
    expect((await turn.result).text).toBe("ran npm test");
    expect(ofType(events, "request_end")).toMatchObject([{ requestId, outcome: "allowed", by: "caller" }]);
    expect(session.requests).toEqual([]);
    const denied = session.send("ask rm x");
    session.answer((await until(events, "request", 2)).requestId, { allow: false, message: "no" });
    expect((await denied.result).text).toBe("denied: no");
    await session.close();
    expectSoundSession(await all());
  });

  it("are answered by onRequest, and denied with a warning if it throws", async () => {
    const { session, events } = openFake({
      async onRequest({ operations = [] }) {
        const [operation] = operations;
        if (operation?.type === "command" && operation.command === "bad") throw new Error("no idea");
        return { allow: true };
      },
    });
    expect((await session.send("ask good").result).text).toBe("ran good");
    expect((await session.send("ask bad").result).text).toBe("denied: the request could not be decided");
    expect(
      ofType(events, "warning")
        .map(({ message }) => message)
        .join(),
    ).toContain("no idea");
    await session.close();
  });

  it("refuse an answer that is too late, twice, or of the wrong kind", async () => {
    const { session, events } = openFake();
    const turn = session.send("question");
    const { requestId } = await until(events, "request");
    const invalid = expect.objectContaining({ code: "invalid_answer" });
    expect(() => session.answer(requestId, { allow: true })).toThrow(invalid);
    expect(() => session.answer(requestId, { answers: { other: ["Red"] } })).toThrow(invalid);
    expect(() => session.answer(requestId, { answers: { q: "Red" } as never })).toThrow(invalid);
    expect(() => session.answer(requestId, undefined as never)).toThrow(invalid);
    const gone = expect.objectContaining({ code: "request_gone" });
    expect(() => session.answer("r99", { allow: true })).toThrow(gone);
    session.answer(requestId, { answers: { q: ["Red"] } });
    expect(() => session.answer(requestId, { answers: { q: ["Blue"] } })).toThrow(gone);
    expect((await turn.result).text).toBe("chose Red");
    await session.close();
  });

  it("can be sent twice by the agent, and count once", async () => {
    const { session, all } = openFake({ onRequest: () => ({ allow: true }) });
    expect((await session.send("asktwice x").result).text).toBe("ran x");
    await session.close();
    expectSoundSession(await all());
  });

  it("are withdrawn when the session is closed or the agent dies meanwhile", async () => {
    const closed = openFake();
    closed.session.send("ask x");
    await until(closed.events, "request");
    expect((await closed.session.close()).isSuccess).toBe(false);
    expect(ofType(closed.events, "request_end")).toMatchObject([{ outcome: "withdrawn", by: "agent" }]);
    const died = openFake();
    const turn = died.session.send("askdie x");
    expect(await turn.result).toMatchObject({ reason: "failed", failure: { kind: "killed" } });
    expect(await died.session.result).toMatchObject({ isSuccess: false, signal: "SIGKILL" });
    expectSoundSession(await died.all());
    expect(() => died.session.answer("r1", { allow: true })).toThrow(
      expect.objectContaining({ code: "request_gone" }),
    );
  });

  it("that nobody knows are refused, so that the agent goes on", async () => {
    const { session } = openFake();
    expect((await session.send("strange").result).text).toBe("refused: unknown request");
    await session.close();
  });

  it("are allowed by the mode with full access, and denied when read-only", async () => {
    const { session, events } = openFake({ permissions: "full-access" });
    expect((await session.send("ask npm test").result).text).toBe("ran npm test");
    expect(ofType(events, "request_end")).toMatchObject([
      { by: "policy", rule: "full-access", outcome: "allowed" },
    ]);
    await session.close();
    const readOnly = { ...fakeAgent, capabilities: { ...fakeAgent.capabilities, readOnly: true } };
    const other = openFake({ agent: readOnly, permissions: "read-only" });
    expect((await other.session.send("ask npm test").result).text).toBe("denied: this session is read-only");
    await other.session.close();
  });
});

describe("what goes wrong", () => {
  it("garbage is kept as unknown, and the turn ends", async () => {
    const { session, events, all } = openFake();
    expect((await session.send("garbage").result).reason).toBe("failed");
    await session.close();
    expectSoundSession(await all());
    expect(ofType(events, "unknown").length).toBeGreaterThanOrEqual(5);
  });

  it("an agent that dies fails its turn and the session, and the queue with it", async () => {
    const { session, events, all } = openFake();
    const turn = session.send("die");
    const queued = session.send("say never");
    expect(await turn.result).toMatchObject({ reason: "failed", failure: { kind: "crash" } });
    expect((await queued.result).reason).toBe("failed");
    expect(await session.result).toMatchObject({
      isSuccess: false,
      exitCode: 3,
      failure: { message: "it broke" },
    });
    expectSoundSession(await all());
    expect(ofType(events, "error")).toHaveLength(1);
  });

  it("a refused handshake fails the session in the agent's words", async () => {
    const { session, all } = openFake({ env: { FAKE_REFUSES: "1" } });
    const turn = session.send("say never");
    expect(await session.result).toMatchObject({
      isSuccess: false,
      failure: { kind: "auth", message: "Invalid API key" },
    });
    expect(await turn.result).toMatchObject({ reason: "failed", failure: { kind: "auth" } });
    expectSoundSession(await all());
  });

  it("a program that is not there fails the session", async () => {
    const { session, all } = openFake({ binary: "/nowhere/agent" });
    const turn = session.send("say never");
    expect((await session.result).failure?.kind).toBe("not_installed");
    expect((await turn.result).failure?.kind).toBe("not_installed");
    expectSoundSession(await all());
  });

  it("an agent that does not hear an interrupt is stopped", async () => {
    const { session, events, all } = openFake();
    const turn = session.send("deaf");
    await until(events, "turn");
    session.cancel();
    expect((await turn.result).reason).toBe("interrupted");
    expect(await session.result).toMatchObject({ isSuccess: false, reason: "cancelled" });
    expectSoundSession(await all());
  });

  it("a turn over its time limit is interrupted and fails, and the session goes on", async () => {
    const { session, all } = openFake({ turnTimeoutMs: 150 });
    expect(await session.send("silent").result).toMatchObject({
      reason: "failed",
      failure: { kind: "timed_out" },
    });
    expect((await session.send("say on").result).text).toBe("on");
    await session.close();
    expectSoundSession(await all());
  });

  it("a silent turn is interrupted, but not while it waits for an answer", async () => {
    const { session, events } = openFake({ idleTimeoutMs: 200 });
    const asking = session.send("ask x");
    const { requestId } = await until(events, "request");
    await new Promise((resolve) => setTimeout(resolve, 500));
    session.answer(requestId, { allow: true });
    expect((await asking.result).isSuccess).toBe(true);
    expect(await session.send("silent").result).toMatchObject({
      reason: "failed",
      failure: { kind: "stalled" },
    });
    await session.close();
  });

  it("the time limit of the session stops everything", async () => {
    const { session, all } = openFake({ timeoutMs: 300 });
    const turn = session.send("sleep");
    expect(await session.result).toMatchObject({ isSuccess: false, reason: "timed_out" });
    expect((await turn.result).reason).toBe("interrupted");
    expectSoundSession(await all());
  });

  it("an abort stops everything, also before the start", async () => {
    const controller = new AbortController();
    const { session, events } = openFake({ signal: controller.signal });
    session.send("sleep");
    const { message } = await until(events, "agent");
    controller.abort();
    expect(await session.result).toMatchObject({ reason: "cancelled" });
    expect(isAlive(Number(message.split(" ")[1]))).toBe(false);
    const early = openFake({ signal: controller.signal });
    expect(await early.session.result).toMatchObject({ reason: "cancelled" });
  });

  it("many sessions that share a signal are no leak", async () => {
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const keep = (warning: Error): void => void warnings.push(warning);
    process.on("warning", keep);
    const parts = { plan: { task: { signal } }, hasEnded: true } as unknown as SessionParts;
    const watches = Array.from({ length: 50 }, () => watchSession(parts));
    await setImmediate();
    process.off("warning", keep);
    for (const watch of watches) watch.end();
    expect(warnings).toEqual([]);
  });

  it("an agent that stays after its input is closed is stopped, and the outcome is that of its turns", async () => {
    const { session } = openFake({ env: { FAKE_STAYS: "1" } });
    await session.send("say bye").result;
    expect(await session.close()).toMatchObject({ isSuccess: true, text: "bye" });
  }, 20_000);
});

describe("the recording", () => {
  it("replays to the same events, with what was sent", async () => {
    const { session, events, all, sessions } = openFake();
    const turn = session.send("ask npm test");
    session.answer((await until(events, "request")).requestId, { allow: true });
    await turn.result;
    session.send("sleep");
    await until(events, "agent");
    await session.interrupt();
    await session.close();
    const recording = await recordings.find("last", { directory: sessions });
    expect(recording.meta).toMatchObject({ live: "fake", prompt: "ask npm test", sessionId: "fake-session" });
    const replayed: HarnessEvent[] = [];
    for await (const event of await recordings.replay("last", { directory: sessions, agent: fakeAgent }))
      replayed.push(event);
    expect(replayed).toEqual(await all());
    const raw = readFileSync(join(sessions, session.runId, "raw.jsonl"), "utf8");
    expect(raw.match(/"stream":"sent"/g)?.length).toBe(5);
  });
});

describe("rules", () => {
  const permissions = { allow: ["command: npm test"], deny: ["command: git push *"] };

  it("decide, and what they do not name is asked", async () => {
    const { session, events } = openFake({
      permissions,
      onRequest: () => ({ allow: false, message: "asked" }),
    });
    expect((await session.send("ask npm test").result).text).toBe("ran npm test");
    expect((await session.send("ask npm test && git push origin").result).text).toContain("denied: ");
    expect((await session.send("ask make").result).text).toBe("denied: asked");
    expect(ofType(events, "request_end")).toMatchObject([
      { outcome: "allowed", by: "policy", rule: "command: npm test" },
      { outcome: "denied", by: "policy", rule: "command: git push *" },
      { outcome: "denied", by: "caller" },
    ]);
    await session.close();
  });

  it("are kept although an answer holds always: only the same request is not asked again", async () => {
    const asked: string[] = [];
    const { session, events } = openFake({
      permissions,
      onRequest({ operations: [operation] = [] }) {
        if (operation?.type === "command") asked.push(operation.command);
        return { allow: true, always: true };
      },
    });
    for (const command of ["make a", "make a", "make b"]) await session.send(`ask ${command}`).result;
    expect((await session.send("ask git push").result).text).toContain("denied");
    expect(asked).toEqual(["make a", "make b"]);
    expect(ofType(events, "request_end")[1]).toMatchObject({ by: "policy", rule: "allowed always" });
    await session.close();
  });

  it("decide in a run too, where nobody can be asked", async () => {
    const sessionsDirectory = temporaryDirectory();
    const of = (prompt: string) =>
      run({ agent: fakeAgent, binary: fakeProgram, prompt, permissions, sessionsDirectory });
    expect(await of("ask npm test").result).toMatchObject({ isSuccess: true, text: "ran npm test" });
    const asked = await of("ask make").result;
    expect(asked.text).toContain("nobody can be asked");
  });

  it("are refused for an agent that cannot ask, or that does not ask about what they name", () => {
    const unsupported = expect.objectContaining({ code: "unsupported_option" });
    expect(() => openFake({ agent: testAgent, permissions })).toThrow(unsupported);
    expect(() => openFake({ agent: testAgent, permissions: "ask" })).toThrow(unsupported);
    const live = { ...fakeAgent.live, unasked: ["read"] } as NonNullable<typeof fakeAgent.live>;
    const reader = { ...fakeAgent, live };
    expect(() => openFake({ agent: reader, permissions: { ...permissions, deny: ["read: .env*"] } })).toThrow(
      /reads files without asking/,
    );
  });
});
