import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HarnessEvent } from "../../src/events/event.js";
import { open } from "../../src/live/open.js";
import type { Session, Turn } from "../../src/live/session.js";
import { isAlive } from "../process/alive.js";
import { temporaryDirectory } from "../runs/test-agent.js";
import "../support/fuzz-seed.js";
import { expectSoundSession } from "../support/live-conformance.js";
import { fakeAgent, fakeProgram } from "./support/fake-protocol.js";

interface Scene {
  session: Session;
  turns: Turn[];
}

/** What a program may do with a session at any moment. What is refused is refused by an error, and changes nothing. */
const acts: Readonly<Record<string, (scene: Scene, word: string) => void>> = {
  send: ({ session, turns }, word) => turns.push(session.send(word)),
  steer: ({ session, turns }, word) => turns.push(session.send(word, { whileBusy: "steer" })),
  interrupt: ({ session }) => void session.interrupt(),
  answer({ session }) {
    for (const { requestId, kind } of session.requests)
      session.answer(requestId, kind === "question" ? { answers: { q: ["Red"] } } : { allow: true });
  },
  setModel: ({ session }) => void session.setModel("fake-2").catch(() => {}),
  close: ({ session }) => void session.close(),
  cancel: ({ session }) => session.cancel(),
};

const prompts = [
  "say hello",
  "ask make",
  "asktwice x",
  "question",
  "silent",
  "sleep",
  "garbage",
  "strange",
  "own",
  "die",
  "askdie x",
  "flood 50",
];
const step = fc.record({
  act: fc.oneof(
    { weight: 4, arbitrary: fc.constant("send") },
    { weight: 5, arbitrary: fc.constantFrom("steer", "interrupt", "answer", "setModel") },
    { weight: 1, arbitrary: fc.constantFrom("close", "cancel") },
  ),
  word: fc.constantFrom(...prompts),
  waitMs: fc.constantFrom(0, 0, 1, 5, 20, 60),
});

async function play(
  steps: readonly { act: string; word: string; waitMs: number }[],
  redact: boolean,
): Promise<void> {
  const session = open({
    agent: fakeAgent,
    binary: fakeProgram,
    permissions: "ask",
    sessionsDirectory: temporaryDirectory(),
    redact,
  });
  const scene: Scene = { session, turns: [] };
  const events: HarnessEvent[] = [];
  const pids = new Set<number>();
  const read = (async () => {
    for await (const event of session) {
      events.push(event);
      const child = event.type === "agent" ? /^running (\d+)$/.exec(event.message)?.[1] : undefined;
      if (child !== undefined) pids.add(Number(child));
    }
  })();
  for (const { act, word, waitMs } of steps) {
    if (session.pid !== undefined) pids.add(session.pid);
    try {
      acts[act]?.(scene, word);
    } catch (error) {
      expect(error).toMatchObject({ name: "HarnessError" });
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  await session.close();
  await read;
  await Promise.all(scene.turns.map(({ result }) => result));
  await session.interrupt();
  expectSoundSession(events);
  expect([...pids].filter(isAlive)).toEqual([]);
}

describe("any sequence of prompts, interrupts, answers and ends", () => {
  it("gives a sound session, ends every turn and leaves nobody", async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), play), { numRuns: 40 });
  }, 120_000);
});
