import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { codex } from "../../src/agents/codex/definition.js";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { goose } from "../../src/agents/goose/definition.js";
import { opencode } from "../../src/agents/opencode/definition.js";
import { pi } from "../../src/agents/pi/definition.js";
import type { HarnessEvent } from "../../src/events/event.js";
import { isAlive } from "../process/alive.js";
import { expectSoundSession } from "../support/live-conformance.js";
import { readTranscript, type Transcript, type TranscriptLine } from "../support/transcripts.js";
import { expectRecording } from "./support/describe-replayed.js";
import { drive, entriesOf, eventually, expectedTurns, openReplayed, outcomeOf } from "./support/drive.js";
import { openFake } from "./support/fake-protocol.js";
import { protocolOf, protocols } from "./support/replay/protocols.mjs";

interface Piped {
  agent: AgentDefinition;
  transcript: Transcript;
}

/** One transcript with a request of the agent, for each protocol over pipes. */
const piped: readonly Piped[] = [
  { agent: claude, transcript: readTranscript("stream-json-claude-2.1.325", "permission-allow") },
  { agent: codex, transcript: readTranscript("app-server-codex", "permission-allow") },
  { agent: pi, transcript: readTranscript("rpc-pi-0.74.2", "permission-allow") },
  { agent: goose, transcript: readTranscript("acp-goose", "permission-allow") },
];

/** The transcript with other lines in the place of each. */
function changed(
  transcript: Transcript,
  change: (line: TranscriptLine, index: number) => TranscriptLine[],
): Transcript {
  return { ...transcript, lines: transcript.lines.flatMap(change) };
}

const out = (line: string): TranscriptLine => ({ at: 0, dir: "out", line });

describe.each(piped)("$transcript.folder: an agent", ({ agent, transcript }) => {
  const entries = entriesOf(transcript);

  it("that prints garbage between its lines is understood", async () => {
    const garbage = ["not json", "\u0000\u0001", "[1,2]", "42", '{"type":', "{}", '"text"'].map(out);
    const spoilt = changed(transcript, (line) => (line.dir === "out" ? [...garbage, line] : [line]));
    const driven = await drive({ agent, transcript: spoilt });
    expectSoundSession(driven.events);
    expect(driven.turns.map(({ isSuccess, text }) => ({ isSuccess, text }))).toEqual(
      expectedTurns(agent, transcript).map(({ isSuccess, text }) => ({ isSuccess, text })),
    );
    await expectRecording(agent, driven);
  });

  it("that answers and asks twice is answered once", async () => {
    const isDoubled = (index: number): boolean =>
      entries[index]?.answers !== undefined || entries[index]?.asks !== undefined;
    const doubled = changed(transcript, (line, index) => (isDoubled(index) ? [line, line] : [line]));
    const driven = await drive({ agent, transcript: doubled });
    expectSoundSession(driven.events);
    expect(driven.turns.map(outcomeOf)).toEqual(expectedTurns(agent, transcript));
    await expectRecording(agent, driven);
  });

  it("that asks what nobody knows gets a refusal, and goes on", async () => {
    const { strange = {} } = protocols[protocolOf(transcript.folder) ?? ""] ?? {};
    const prompt = entries.findIndex(({ action }) => action?.do === "prompt");
    const refused = changed(transcript, (line, index) =>
      index === prompt ? [line, out(JSON.stringify(strange))] : [line],
    );
    const driven = await drive({ agent, transcript: refused });
    expectSoundSession(driven.events);
    expect(driven.turns.map(outcomeOf)).toEqual(expectedTurns(agent, transcript));
    const answers = driven.steps.filter(
      ({ record }) => record?.stream === "sent" && record.line.includes('"strange"'),
    );
    expect(answers).toHaveLength(1);
  });

  it("that dies while it waits for an answer fails its turn, and the request is withdrawn", async () => {
    const asked = entries.findIndex(
      ({ action }, index) => action?.do === "answer" && entries[index]?.dir === "in",
    );
    const exit = { at: 0, code: null, signal: "SIGKILL" };
    const dying = {
      ...transcript,
      lines: transcript.lines.slice(0, asked),
      end: { exit, leftBehind: [], modelRequests: [] },
    };
    const driven = await drive({ agent, transcript: dying });
    expectSoundSession(driven.events);
    expect(driven.turns.map(({ reason, failure }) => [reason, failure?.kind])).toEqual([
      ["failed", "killed"],
    ]);
    const ends = driven.events.filter((event) => event.type === "request_end");
    expect(ends.map(({ outcome }) => outcome)).toEqual(["withdrawn"]);
    await expectRecording(agent, driven);
  });

  it("that never answers the handshake is stopped by close", async () => {
    const mute = { ...transcript, lines: transcript.lines.slice(0, 1), end: undefined };
    const silent = changed(mute, (line) => [{ ...line, dir: "in", line: "<stdin closed>" }]);
    const { session, read, events } = openReplayed({ agent, transcript: silent });
    const turn = session.send("hello");
    const { pid } = session;
    await session.close();
    await read;
    expect((await turn.result).isSuccess).toBe(false);
    expectSoundSession(events);
    expect(isAlive(pid ?? 0)).toBe(false);
  });
});

describe("a server", () => {
  const transcript = readTranscript("serve-opencode", "tools");

  it("with another password ends the session, and is stopped", async () => {
    const { session, read, events } = openReplayed({
      agent: opencode,
      transcript,
      task: { env: { REPLAY_PASSWORD: "another" } },
    });
    const turn = session.send("hello");
    const { pid } = session;
    expect(await session.result).toMatchObject({ isSuccess: false });
    expect((await turn.result).isSuccess).toBe(false);
    await read;
    expectSoundSession(events);
    expect(JSON.stringify(events.at(-2))).toContain("401");
    expect(isAlive(pid ?? 0)).toBe(false);
  });

  it("that dies fails the running turn", async () => {
    const { session, read, events } = openReplayed({ agent: opencode, transcript });
    const turn = session.send("SCEN-TOOLS");
    await eventually(
      () => session.requests[0],
      () => "a request",
    );
    process.kill(session.pid ?? 0, "SIGKILL");
    expect(await turn.result).toMatchObject({ reason: "failed", failure: { kind: "killed" } });
    await read;
    expectSoundSession(events);
  });

  it("whose program exits before it listens fails the session", async () => {
    const nowhere = { ...transcript, folder: "serve-nothing", scenario: "nothing", lines: [] };
    const { session } = openReplayed({
      agent: opencode,
      transcript: nowhere,
      task: { env: { REPLAY_TRANSCRIPT: "/nowhere" } },
    });
    const turn = session.send("hello");
    expect(await session.result).toMatchObject({ isSuccess: false, exitCode: 1 });
    expect((await turn.result).failure?.message).toBe((await session.result).failure?.message);
  });
});

describe("a session", () => {
  it("takes a prompt while an interrupt is under way", async () => {
    const { session, events, all } = openFake();
    const first = session.send("sleep");
    await eventually(
      () => events.find(({ type }) => type === "agent"),
      () => "the first message",
    );
    const interrupted = session.interrupt();
    const second = session.send("say second");
    await Promise.all([interrupted, session.interrupt()]);
    expect((await first.result).reason).toBe("interrupted");
    // The second interrupt may have come while the second turn ran.
    expect(["second", undefined]).toContain((await second.result).text);
    expect((await session.send("say third").result).text).toBe("third");
    await session.close();
    expectSoundSession(await all());
  });

  it("loses nothing of a flood that is read slowly", async () => {
    const { session, all } = openFake();
    const turn = session.send("flood 20000");
    const seen: HarnessEvent[] = [];
    for await (const event of turn) {
      seen.push(event);
      if (seen.length % 2000 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(seen.filter(({ type }) => type === "agent")).toHaveLength(20_000);
    await session.close();
    expectSoundSession(await all());
  });
});
