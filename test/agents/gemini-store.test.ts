import { expect, it } from "vitest";
import { gemini } from "../../src/agents/gemini/definition.js";
import { describeStoreConformance } from "../support/store-conformance.js";
import { compareStoredRuns, type KnownDifferences } from "../support/stored-runs.js";

const noFailure = "a request that failed is not stored: a session without an answer was interrupted";
const noRequest = "a run without an answer has counts of 0 in its stream, and none in its store";
const noOpenCalls = "calls are stored when they are over";
const tokensFirst = "tokens are stored with each answer, but printed only at the end";
const looksComplete = "without its call, the last answer looks like the end of the turn";
const insideSubagents = "the store also has what subagents say and do";
const thoughts = "the stream never has thoughts";
const cutAnswer = "an answer that was cut is not stored";

const stopped = { calls: noOpenCalls, operations: noOpenCalls, tokens: tokensFirst, outcome: looksComplete };

const known: KnownDifferences = {
  api400: { outcome: noFailure },
  api401: { tokens: noRequest, outcome: noFailure },
  cancelled: stopped,
  cutoff: { messages: cutAnswer, tokens: noRequest, outcome: noFailure },
  killed: stopped,
  resumeafterstop: { calls: noOpenCalls, operations: noOpenCalls, tokens: tokensFirst },
  subagent: { messages: insideSubagents, calls: insideSubagents, operations: insideSubagents },
  thinking: { thinking: thoughts },
  twosubs: { messages: insideSubagents, calls: insideSubagents, operations: insideSubagents },
};

describeStoreConformance(gemini);

it("the store of every run gives what its stream gave", () => {
  expect(compareStoredRuns(gemini, known, asBothSay)).toEqual([]);
});

/**
 * The stream has the words for the screen in place of results, paths as the model wrote them, fewer arguments and no count of reasoning. It
 * leaves escapes out of answers.
 */
function asBothSay(line: string, scenario: string): string {
  if (line.startsWith("reasoningTokens")) return "";
  return line
    .replace(/^(\s*end \w+ \w+) .*$/s, "$1")
    .replaceAll(`/workspace/gemini-${scenario}/`, "")
    .replace(/,"context":\d+/, "")
    .replaceAll("\u001b[31m", "")
    .replaceAll("\u001b[0m", "");
}
