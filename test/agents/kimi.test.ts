import { kimi } from "../../src/agents/kimi/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(kimi);
describeExpectedOutputs(kimi);
describeTruth(kimi, {
  scenarios: {
    "2.1.0-subagent": { files: "what a subagent does is not in the stream" },
  },
});
