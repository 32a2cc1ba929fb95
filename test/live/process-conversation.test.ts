import { existsSync } from "node:fs";
import { join } from "node:path";
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

describe("the files of a session with a process per turn", () => {
  const reading = `
    const { existsSync, readFileSync } = require("node:fs");
    const [file, home] = process.argv.slice(1);
    const seen = readFileSync(file, "utf8") + (home ? " and " + existsSync(home) : "");
    console.log(JSON.stringify({ type: "session", id: "s1", model: "m" }));
    console.log(JSON.stringify({ type: "done", text: seen }));
  `;
  const withFiles: AgentDefinition = {
    ...testAgent,
    isolation: { variables: { AGENT_HOME: ".agent" }, credentials: [] },
    launch: ({ prompt, directory }) => ({
      args: ["-e", reading, join(directory, "given.txt"), join(directory, "home/.agent")],
      files: { "given.txt": `${directory}|${prompt}` },
    }),
  };

  it.each([
    ["with the user's home", {}, "false"],
    ["with a fresh home", { isolated: true }, "true"],
  ])("are there for each turn and gone at the end, %s", async (_, task, hasHome) => {
    const { session } = openProcesses({ agent: withFiles, ...task });
    const { text: first = "" } = await session.send("one").result;
    const { text: second = "" } = await session.send("two").result;
    const [directory = ""] = first.split("|");
    expect(first).toBe(`${directory}|one and ${hasHome}`);
    expect(second).toBe(`${directory}|two and ${hasHome}`);
    await session.close();
    expect(existsSync(directory)).toBe(false);
  });

  it("are gone after a turn that was stopped", async () => {
    const endless = `require("node:fs").readFileSync(process.argv[1]); ${script}`;
    let place = "";
    const { session, until } = openProcesses({
      agent: {
        ...withFiles,
        launch: ({ prompt, directory }) => {
          place = directory;
          const args = ["-e", endless, join(directory, "given.txt")];
          return { args, stdin: prompt, files: { "given.txt": "x" } };
        },
      },
      isolated: true,
    });
    session.send("work");
    await until("agent");
    expect(existsSync(place)).toBe(true);
    session.cancel();
    await session.result;
    expect(existsSync(place)).toBe(false);
  });
});

describe("an isolated session", () => {
  const isolation = { variables: { AGENT_HOME: ".agent" }, credentials: [] };

  it("does not resume another, whose home is not there", () => {
    const task = { agent: { ...agent, isolation }, isolated: true, resume: "s1" };
    expect(() => open(task)).toThrow(
      expect.objectContaining({
        code: "unsupported_option",
        message: expect.stringContaining("begins with an empty home"),
      }),
    );
  });

  it("is not the last one that can be resumed", async () => {
    const directory = temporaryDirectory();
    const places = { cwd: directory, sessionsDirectory: directory };
    const plain = openProcesses(places);
    await plain.session.send("answer").result;
    await plain.session.close();
    const renamed = {
      ...agent,
      isolation,
      launch: () => ({ args: ["-e", script.replace("s1", "s2")], stdin: "answer" }),
    };
    const isolated = openProcesses({ ...places, agent: renamed, isolated: true });
    await isolated.session.send("answer").result;
    await isolated.session.close();
    const { session } = openProcesses({ ...places, resume: "last" });
    expect(session.sessionId).toBe("s1");
  });
});

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
