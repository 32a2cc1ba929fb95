import { claude } from "../../src/agents/claude/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(claude);
describeExpectedOutputs(claude);
describeTruth(claude, {
  scenarios: {
    "2.1.325-cutoff": { tokens: "Claude Code counts what it was sent of the answer that was cut, too" },
    "2.1.325-newtools": { files: "a worktree is a copy of the repository, and no call names its files" },
  },
  unreported: { reasoningTokens: "the scripted model did not report them when these captures were made" },
});
