import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import { createExplanation } from "../../../src/cli/translate/explain.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { isAlive } from "../../process/alive.js";
import { expectSoundSession, translateTranscript } from "../../support/live-conformance.js";
import { readTranscript } from "../../support/transcripts.js";
import { type Driven, drive, expectedTurns, storyOf } from "./drive.js";

/** Sessions with programs that replay transcripts: the same turns as in the transcript, and a recording that has all of it. */
export function describeReplayed(
  agent: AgentDefinition,
  folder: string,
  scenarios: readonly string[],
): void {
  describe(`${folder}: a session that goes as its transcript`, () => {
    it.each(scenarios)("%s", async (scenario) => {
      const transcript = readTranscript(folder, scenario);
      const driven = await drive({ agent, transcript });
      expectSoundSession(driven.events);
      expect(driven.turns.map(({ isSuccess, reason, text, failure, costUsd }) => ({ isSuccess, reason, text, failure, costUsd }))).toEqual(
        expectedTurns(agent, transcript),
      );
      const told = translateTranscript(agent, transcript).flatMap((step) => step.events);
      expect(storyOf(driven.events)).toEqual(storyOf(told));
      expect(isAlive(driven.session.pid ?? 0)).toBe(false);
      await expectRecording(agent, driven);
    });

    it.each(scenarios)("%s, with secrets masked", async (scenario) => {
      const transcript = readTranscript(folder, scenario);
      const secret = "replayed-secret-value";
      const driven = await drive({ agent, transcript, task: { redact: true, env: { API_KEY: secret } } });
      expectSoundSession(driven.events);
      expect(driven.turns.map(({ reason }) => reason)).toEqual(
        expectedTurns(agent, transcript).map(({ reason }) => reason),
      );
      await expectRecording(agent, driven);
      expect(readFileSync(join(driven.sessions, driven.session.runId, "raw.jsonl"), "utf8")).not.toContain(secret);
    });
  });
}

/** It replays to the same events, and each line of both directions is accounted for. */
export async function expectRecording(agent: AgentDefinition, { session, sessions, events }: Driven): Promise<void> {
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
