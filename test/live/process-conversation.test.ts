import { describe, expect, it, onTestFinished } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import type { EventType, HarnessEvent } from "../../src/events/event.js";
import { open } from "../../src/live/open.js";
import type { SessionTask } from "../../src/live/session-task.js";
import { temporaryDirectory, testAgent } from "../runs/test-agent.js";
import { expectSoundSession } from "../support/live-conformance.js";

/** The prompt says what the process does: `die` before it has a session, `work` for ever, `linger` after its last message. */
const script = `
  const prompt = require("node:fs").readFileSync(0, "utf8");
  const print = (record) => console.log(JSON.stringify(record));
  if (prompt === "die") process.exit(3);
  print({ type: "session", id: "s1", model: "m" });
  if (prompt === "work") print({ type: "say", text: "working" });
  else print({ type: "done", text: prompt + " after " + process.argv[1] });
  if (prompt !== "answer") setInterval(() => {}, 1000);
`;

const agent: AgentDefinition = {
  ...testAgent,
  launch: ({ prompt, resume = "nothing" }) => ({ args: ["-e", script, resume], stdin: prompt }),
};

function openProcesses(task: Partial<SessionTask> = {}) {
  const directory = temporaryDirectory();
  const session = open({
    agent,
    binary: process.execPath,
    cwd: directory,
    sessionsDirectory: directory,
    ...task,
  });
  const events: HarnessEvent[] = [];
  const read = (async () => {
    for await (const event of session) events.push(event);
  })();
  onTestFinished(async () => {
    await session.close();
    await read;
    expectSoundSession(events);
  });
  const until = async (type: EventType): Promise<void> => {
    while (!events.some((event) => event.type === type)) await new Promise((done) => setTimeout(done, 5));
  };
  return { session, events, until };
}

describe("a session with a process per turn", () => {
  it("resumes the agent's session with each later process", async () => {
    const { session } = openProcesses();
    expect(await session.send("answer").result).toMatchObject({ text: "answer after nothing" });
    expect(await session.send("answer").result).toMatchObject({ text: "answer after s1" });
  });

  it("does not take a process for a resumed one if the one before had no session", async () => {
    const { session } = openProcesses();
    expect(await session.send("die").result).toMatchObject({ reason: "failed" });
    const second = await session.send("answer").result;
    expect(second).toMatchObject({ text: "answer after nothing", usage: { scope: "turn" } });
    expect(await session.send("answer").result).toMatchObject({ usage: { scope: "session" } });
  });

  it("ends a turn whose process lingers after its final message", async () => {
    const { session, events } = openProcesses({ graceMs: 50 });
    expect(await session.send("linger").result).toMatchObject({
      reason: "completed",
      text: "linger after nothing",
    });
    expect(await session.send("answer").result).toMatchObject({ text: "answer after s1" });
    expect(events.filter((event) => event.type === "error")).toEqual([]);
  });

  it("interrupts a process that works", async () => {
    const { session, until } = openProcesses();
    const working = session.send("work");
    await until("agent");
    await session.interrupt();
    expect(await working.result).toMatchObject({ reason: "interrupted" });
  });
});
