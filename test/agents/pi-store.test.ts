import { expect, it } from "vitest";
import { pi } from "../../src/agents/pi/definition.js";
import { describeStoreConformance } from "../support/store-conformance.js";
import { compareStoredRuns } from "../support/stored-runs.js";

const noExitCode = "the store has no exit code of a command that succeeded";
const noExit = "a session without an end was interrupted; only whoever ran the program knows how";

describeStoreConformance(pi);

it("the store of every run gives what its stream gave", () => {
  expect(
    compareStoredRuns(pi, {
      "0.74.2-cancelled": { outcome: noExit },
      cancelled: { outcome: noExit },
      killed: { outcome: noExit },
      parallel: { operations: noExitCode },
      resume: { operations: noExitCode },
      shell: { operations: noExitCode },
      spoof: { operations: noExitCode },
    }),
  ).toEqual([]);
});
