import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { AgentProfile } from "./profile.js";
import type { Observed } from "./run-harness.js";

/** Checks that after the stop, no request reached the model and no file was touched. */
export function expectStandstill(
  { survivors, recording, stop }: Observed,
  { requestMark }: Pick<AgentProfile, "requestMark">,
): void {
  if (stop === undefined) return;
  const { began, over } = stop;
  expect(survivors, "nothing of the run is alive").toEqual([]);
  expect(over.requests, "no request after the stop").toEqual(began.requests);
  expect(over.files, "no change of the workspace after the stop").toEqual(began.files);
  if (requestMark === undefined) return;
  // An agent that was about to send a request may have been stopped in time by luck, which proves nothing.
  const asked = readFileSync(recording.raw, "utf8").split(requestMark).length - 1;
  expect(asked, "nor was one about to be made").toBeLessThanOrEqual(began.turns);
}
