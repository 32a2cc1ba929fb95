import { opencode } from "../../src/agents/opencode/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

const unseen = "nothing that a subagent did or used is printed";

describeConformance(opencode);
describeExpectedOutputs(opencode);
describeTruth(opencode, {
  scenarios: {
    "1.18.33-nested": { tokens: unseen },
    "1.18.33-spoof": { tokens: "a step's tokens are printed at its end, and the last step was cut" },
    "1.18.33-subagent": { files: unseen, tokens: unseen },
    "1.18.33-twosubs": { files: unseen, tokens: unseen },
  },
});
