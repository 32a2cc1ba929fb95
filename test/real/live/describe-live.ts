import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { installedProgram, lockedAgents } from "../../../scripts/agents/cache.mjs";
import type { HarnessEvent } from "../../../src/events/event.js";
import { open } from "../../../src/live/open.js";
import { run } from "../../../src/live/run.js";
import type { Session } from "../../../src/live/session.js";
import type { SessionTask } from "../../../src/live/session-task.js";
import { call, readFile, runCommand, type Scenario, say } from "../../../src/testing/index.js";
import { expectSoundSession } from "../../support/live-conformance.js";
import { patienceMs } from "../live-run.js";
import { survivorsOf } from "../processes.js";
import { usualFiles, usualUsage } from "../scenarios/usual-files.js";
import { conversationOf, ofType } from "../seen.js";
import { prepareStage, type Stage } from "../stage.js";
import type { LiveProfile } from "./live-profile.js";

/**
 * A command that outlasts the test the first time, and ends at once when it is run again: some agents forget an interrupted
 * turn, so that the scripted model sends it a second time.
 */
const endless = "test -e begun.trace || { echo begun > begun.trace; sleep 300; echo late > late.trace; }";

/** Plays a whole conversation with the real program of an agent: what the stream says is what happened on disk and at the model. */
export function describeLive(profile: LiveProfile): void {
  const name = profile.version === undefined ? profile.agent : `${profile.agent}@${profile.version}`;
  const played = process.env["HARNESS_AGENTS_PLAYED"];
  if (played !== undefined && !played.split(",").includes(name)) return;
  const locked = lockedAgents().find((agent) => agent.name === name);
  const program = locked && installedProgram(locked);
  if (program === undefined) return;

  describe(`${name}, live`, () => {
    it("a conversation: turns, requests, a question, an interrupt with a queue, and resume", {
      timeout: 3 * patienceMs,
    }, async () => {
      const stage = await prepareStage({
        agent: profile.agent,
        script: scriptFor(profile),
        files: usualFiles,
      });
      try {
        const sessionId = await converse(stage, program, profile);
        await resume(stage, program, profile, sessionId);
      } finally {
        await stage.close();
      }
    });

    it.skipIf(profile.cannotAsk !== undefined)(
      "a run with rules: they answer, and what they deny does not happen",
      { timeout: 2 * patienceMs },
      async () => {
        const files = { ...usualFiles, ".env": "SECRET=hush-hush\n" };
        const stage = await prepareStage({ agent: profile.agent, script: rulesScript, files });
        try {
          await runWithRules(stage, program, profile);
        } finally {
          await stage.close();
        }
      },
    );
  });
}

/** What the rules allow comes first. An agent that ends the turn after a denial does not get to the rest. */
const rulesScript: Scenario = {
  turns: [
    [call(runCommand("touch allowed.txt"))],
    [call(runCommand("touch denied.txt && touch allowed.txt"))],
    [call(readFile(".env"))],
    [say("Done.")],
  ],
};

const permissions = {
  allow: ["read", "search", "list", "command: touch allowed*"],
  deny: ["read: .env*", "command: touch denied*"],
};

/** `run()` with rules: they answer, and the disk and the model see nothing of what they deny. */
async function runWithRules(stage: Stage, binary: string, profile: LiveProfile): Promise<void> {
  const { agent } = profile;
  const { workspace, env, prepared, home, model } = stage;
  const sessionsDirectory = join(home, "recordings");
  const task = { agent, binary, cwd: workspace, env, extraArgs: prepared.args, sessionsDirectory };
  const begin = () => run({ ...task, prompt: "Do what you must", permissions, timeoutMs: patienceMs });
  if (profile.readsUnasked) {
    expect(begin).toThrow(/reads files without asking/);
    return;
  }
  const running = begin();
  const events: HarnessEvent[] = [];
  for await (const event of running) events.push(event);
  expectSoundSession(events);
  expect(existsSync(join(workspace, "allowed.txt"))).toBe(true);
  expect(existsSync(join(workspace, "denied.txt"))).toBe(false);
  expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain("hush-hush");
  const decided = ofType(events, "request_end").map(({ outcome, by }) => `${outcome} by ${by}`);
  expect(decided.slice(0, 2)).toEqual(["allowed by policy", "denied by policy"]);
  expect(survivorsOf(running.runId, workspace)).toEqual([]);
}

/** In the order of the prompts. */
function scriptFor({ denialEndsTurn, question, cannotAsk }: LiveProfile): Scenario {
  const asks = cannotAsk === undefined;
  return {
    usage: usualUsage,
    turns: [
      [say("First answer.")],
      ...(asks ? [[call(runCommand("touch allowed.txt"))], [say("Allowed.")]] : []),
      ...(asks ? [[call(runCommand("touch denied.txt"))]] : []),
      ...(asks && !denialEndsTurn ? [[say("Denied.")]] : []),
      ...(question === undefined ? [] : [[call(question)], [say("Chosen.")]]),
      [call(runCommand(endless))],
      [say("After.")],
      [say("Resumed.")],
    ],
  };
}

interface Opened {
  session: Session;
  events: HarnessEvent[];
  end(): Promise<void>;
}

function openOn(stage: Stage, binary: string, profile: LiveProfile, more: Partial<SessionTask>): Opened {
  const session = open({
    agent: profile.agent,
    binary,
    cwd: stage.workspace,
    env: stage.env,
    extraArgs: stage.prepared.args,
    sessionsDirectory: join(stage.home, "recordings"),
    turnTimeoutMs: patienceMs,
    ...more,
  });
  const events: HarnessEvent[] = [];
  const read = (async () => {
    for await (const event of session) events.push(event);
  })();
  return {
    session,
    events,
    async end() {
      await session.close();
      await read;
      expectSoundSession(events);
      expect(survivorsOf(session.runId, stage.workspace)).toEqual([]);
    },
  };
}

/** Everything that one process can show. Returns the agent's id of the session. */
async function converse(stage: Stage, program: string, profile: LiveProfile): Promise<string> {
  const { workspace, model } = stage;
  const asks = profile.cannotAsk === undefined;
  const { session, events, end } = openOn(stage, program, profile, {
    permissions: asks ? "ask" : "full-access",
    onRequest({ kind, questions = [], operations = [] }) {
      if (kind === "question") return { answers: { [questions[0]?.id ?? ""]: ["Red"] } };
      const commands = operations.flatMap((one) => (one.type === "command" ? [one.command] : []));
      return commands.join().includes("denied.txt") ? { allow: false, message: "not that" } : { allow: true };
    },
  });

  const first = await session.send("Say hello").result;
  expect(first).toMatchObject({ isSuccess: true, reason: "completed", text: "First answer." });
  if (profile.usage !== undefined) expect(first.usage).toMatchObject({ ...profile.usage, scope: "turn" });

  if (asks) {
    expect(await session.send("Make the first file").result).toMatchObject({
      isSuccess: true,
      text: "Allowed.",
    });
    expect(existsSync(join(workspace, "allowed.txt"))).toBe(true);
    const denied = await session.send("Make the second file").result;
    if (!profile.denialEndsTurn) expect(denied).toMatchObject({ isSuccess: true, text: "Denied." });
    expect(existsSync(join(workspace, "denied.txt"))).toBe(false);
    expect(ofType(events, "request_end").map(({ outcome, by }) => [outcome, by])).toEqual([
      ["allowed", "caller"],
      ["denied", "caller"],
    ]);
    const asked = ofType(events, "request").flatMap(({ operations = [] }) => operations);
    expect(asked).toMatchObject([
      { type: "command", command: "touch allowed.txt" },
      { type: "command", command: "touch denied.txt" },
    ]);
  }
  if (profile.question !== undefined) {
    expect(await session.send("Ask me").result).toMatchObject({ isSuccess: true, text: "Chosen." });
    expect(ofType(events, "request").at(-1)).toMatchObject({ kind: "question" });
    expect(JSON.stringify(conversationOf(model.requests).at(-1)?.toolResults)).toContain("Red");
  }

  const endlessTurn = session.send("Wait for it");
  await until(() => existsSync(join(workspace, "begun.trace")), "the command");
  const queued = session.send("Go on");
  await session.interrupt();
  expect(await endlessTurn.result).toMatchObject({ isSuccess: false, reason: "interrupted" });
  expect(await queued.result).toMatchObject({ isSuccess: true, text: "After." });
  const { sessionId } = session;
  await end();
  expect(existsSync(join(workspace, "late.trace"))).toBe(false);
  expect(
    ofType(events, "turn")
      .filter(({ origin }) => origin === "user")
      .map(({ prompt }) => prompt),
  ).toEqual([
    "Say hello",
    ...(asks ? ["Make the first file", "Make the second file"] : []),
    ...(profile.question ? ["Ask me"] : []),
    "Wait for it",
    "Go on",
  ]);
  return sessionId ?? expect.fail("the session has no id");
}

/** Another process goes on with the session: the model sees what was said before. */
async function resume(stage: Stage, program: string, profile: LiveProfile, sessionId: string): Promise<void> {
  const before = stage.model.requests.length;
  const { session, end } = openOn(stage, program, profile, { resume: "last" });
  expect(session.sessionId).toBe(sessionId);
  const text = profile.forgetsDenials ? "After." : "Resumed.";
  expect(await session.send("And now").result).toMatchObject({ isSuccess: true, text });
  await end();
  const [request] = conversationOf(stage.model.requests.slice(before));
  expect(JSON.stringify(request?.body)).toContain("Say hello");
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !condition(); await sleep(20))
    if (Date.now() > deadline) throw new Error(`${what} never came`);
}
