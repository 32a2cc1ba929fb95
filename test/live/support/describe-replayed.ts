import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import { createExplanation } from "../../../src/cli/translate/explain.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { isAlive } from "../../process/alive.js";
import { expectSoundSession, translateTranscript } from "../../support/live-conformance.js";
import { readTranscript, type Transcript, transcriptNames } from "../../support/transcripts.js";
import { type Driven, drive, expectedTurns, outcomeOf, storyOf } from "./drive.js";

interface Choice {
  folders: readonly string[];
  /** Scenarios that this client cannot repeat: it never sends such lines, or not at such a time. */
  without: readonly string[];
  /** Scenarios that are driven only as far as the first line with this text. */
  until?: Readonly<Record<string, string>>;
}

/** Sessions with programs that replay transcripts: the same turns as in the transcript, and a recording that has all of it. */
export function describeReplayed(real: AgentDefinition, { folders, without, until = {} }: Choice): void {
  const agent = withoutSettling(real);
  const all = folders.flatMap((folder) =>
    transcriptNames(folder)
      .filter((scenario) => !without.includes(scenario))
      .map((scenario) => ({ folder, scenario })),
  );

  describe("a session that goes as its transcript", () => {
    it.each(all)("$folder/$scenario", async ({ folder, scenario }) => {
      const transcript = upTo(readTranscript(folder, scenario), until[scenario]);
      const driven = await drive({ agent, transcript });
      expectSoundSession(driven.events);
      expect(driven.turns.map(outcomeOf)).toEqual(expectedTurns(agent, transcript));
      const translated = translateTranscript(agent, transcript).flatMap((step) => step.events);
      expect(storyOf(driven.events)).toEqual(storyOf(translated));
      expect(isAlive(driven.session.pid ?? 0)).toBe(false);
      await expectRecording(agent, driven);
    });

    it.each(all)("$folder/$scenario, with secrets masked", async ({ folder, scenario }) => {
      const transcript = upTo(readTranscript(folder, scenario), until[scenario]);
      const secret = "replayed-secret-value";
      const driven = await drive({ agent, transcript, task: { redact: true, env: { API_KEY: secret } } });
      expectSoundSession(driven.events);
      expect(driven.turns.map(({ reason }) => reason)).toEqual(
        expectedTurns(agent, transcript).map(({ reason }) => reason),
      );
      await expectRecording(agent, driven);
      expect(readFileSync(join(driven.sessions, driven.session.runId, "raw.jsonl"), "utf8")).not.toContain(
        secret,
      );
    });
  });
}

/** A replayed agent writes no session file that one would have to wait for. */
function withoutSettling(agent: AgentDefinition): AgentDefinition {
  const { live } = agent;
  if (live === undefined) return agent;
  const createPeer: typeof live.createPeer = (host, task) =>
    Object.create(live.createPeer(host, task), { settleMs: { value: 0 } });
  return { ...agent, live: { ...live, createPeer } };
}

/** A server's transcript does not say how its program ended: it was stopped. */
function upTo(transcript: Transcript, text: string | undefined): Transcript {
  const { lines, end } = transcript;
  const found =
    text === undefined ? -1 : lines.findIndex(({ dir, line }) => dir === "in" && line.includes(text));
  const exit = { at: lines.at(-1)?.at ?? 0, code: 0, signal: null };
  if (found < 0)
    return end === undefined
      ? { ...transcript, end: { exit, leftBehind: [], modelRequests: [] } }
      : transcript;
  const closed = { at: lines[found]?.at ?? 0, dir: "in", line: "<stdin closed>" } as const;
  return { ...transcript, lines: [...lines.slice(0, found), closed] };
}

/** It replays to the same events, and each line of both directions is accounted for. */
export async function expectRecording(
  agent: AgentDefinition,
  { session, sessions, events }: Driven,
): Promise<void> {
  const replay = await recordings.replay(session.runId, { directory: sessions, agent });
  const replayed: HarnessEvent[] = [];
  const explanation = createExplanation();
  const explained: string[] = [];
  for await (const steps of replay.batches()) {
    for (const step of steps) replayed.push(...step.events);
    explained.push(...explanation.push(steps).map(String));
  }
  expect(replayed).toEqual(events);
  expect(explained.filter((text) => text.includes("no rule"))).toEqual([]);
}
