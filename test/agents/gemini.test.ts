import { gemini } from "../../src/agents/gemini/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(gemini);
describeExpectedOutputs(gemini);
describeTruth(gemini, {
  scenarios: {
    "0.61.0-twosubs": { files: "what a subagent does is not in the stream (0.61.0)" },
  },
});
