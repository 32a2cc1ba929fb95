import { expect, it } from "vitest";
import { kilo } from "../../src/agents/kilo/definition.js";
import { opencode } from "../../src/agents/opencode/definition.js";
import { describeStoreConformance } from "../support/store-conformance.js";
import { compareStoredRuns, type KnownDifferences } from "../support/stored-runs.js";

const openCalls = "the store also has calls that were not over, which the stream never prints";
const noExit = "a session without an end was interrupted; only whoever ran the program knows how";
const insideSubagents = "the store also has what subagents say and do, and their tokens";
const cutText = "the store also has the text of an answer that failed";

const stopped = { calls: openCalls, operations: openCalls };
const delegated = {
  messages: insideSubagents,
  calls: insideSubagents,
  operations: insideSubagents,
  tokens: insideSubagents,
};

const known: KnownDifferences = {
  cancelled: { ...stopped, outcome: noExit },
  compaction: { messages: cutText, outcome: cutText },
  killed: { ...stopped, outcome: noExit },
  resumeafterstop: stopped,
  subagent: delegated,
  twosubs: delegated,
};

describeStoreConformance(opencode);

it("the store of every run gives what its stream gave", () => {
  expect(compareStoredRuns(opencode, known, asBothSay)).toEqual([]);
});

/** The stream has paths as the model wrote them. */
function asBothSay(line: string, scenario: string): string {
  return line.replace(/\/workspace\/(?:opencode|kilo)-(\w+)\//g, (path, name) =>
    name === scenario ? "" : path,
  );
}

it("Kilo's store is the same", () => {
  expect(compareStoredRuns(kilo, { subagent: delegated }, asBothSay)).toEqual([]);
});
