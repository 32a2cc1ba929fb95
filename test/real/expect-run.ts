import { dirname } from "node:path";
import { expect } from "vitest";
import { openRecording } from "../../src/runs/archive/recording.js";
import { expectHidden, expectModelSide, expectSoundRun, expectUsage } from "./invariants.js";
import type { AgentProfile } from "./profile.js";
import type { Observed } from "./run-harness.js";
import type { Expected, RealScenario } from "./scenario.js";
import { conversationOf, seenIn } from "./seen.js";

/** Checks that a run is what its scenario expects: the stream, the disk and the model's requests. */
export async function expectRun(
  run: Observed,
  profile: AgentProfile,
  scenario: RealScenario,
  earlier: Observed | undefined,
): Promise<void> {
  const expected = expectedOf(scenario, profile, run.stop !== undefined);
  const { hasUsage = true, hiddenCalls, ownCalls, masked, ...rest } = expected;
  const seen = run.stop === undefined ? seenIn(run) : withoutEndings(seenIn(run));
  const order = (operations: Expected["operations"]) =>
    scenario.isUnordered && operations !== "*" ? operations.toSorted() : operations;
  const freedom = {
    ...(rest.requests === "*" && { requests: "*" as const }),
    ...(rest.text === "*" && { text: "*" }),
    operations: rest.operations === "*" ? ("*" as const) : order(seen.operations),
  };
  expect({ ...seen, ...freedom }).toEqual({ ...rest, operations: order(rest.operations) });
  if (run.exitCode === 2) return;
  if (run.exitCode === null) return expectInterrupted(run);
  await expectSoundRun(run, profile);
  expectModelSide(run, profile, expected);
  if (masked !== undefined) expectHidden(run, Object.keys(masked));
  if (hasUsage) expectUsage(run, profile, earlier);
  const prompts = promptsIn(run);
  // An agent may be stopped before it has requested more than a title.
  if (prompts !== "") expect(prompts).toContain(JSON.stringify(scenario.prompt).slice(1, -1));
}

/** Agents differ in whether they report a stopped command as failed. */
function withoutEndings(seen: ReturnType<typeof seenIn>): ReturnType<typeof seenIn> {
  return {
    ...seen,
    operations: seen.operations.map((sentence) => sentence.replace(/ failed( \(\d+\))?$/, "")),
  };
}

function expectedOf(scenario: RealScenario, profile: AgentProfile, isStopped: boolean): Expected {
  const { because, options, ...different } = {
    ...(isStopped && profile.stopped),
    ...profile.differences?.[scenario.name],
  };
  return { unrecognised: [], changes: {}, ...scenario.expected, ...different };
}

/** If `harness` was killed, there is no last event, and the recording shows that. */
function expectInterrupted({ recording, runId, events }: Observed): void {
  expect(events.some(({ type }) => type === "exited")).toBe(false);
  expect(openRecording(dirname(recording.meta), runId).outcome).toBe("interrupted");
}

function promptsIn(run: Observed): string {
  return conversationOf(run.requests)
    .map(({ body }) => JSON.stringify(body))
    .join("\n");
}
