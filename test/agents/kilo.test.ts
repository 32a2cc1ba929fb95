import { kilo } from "../../src/agents/kilo/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

const unseen = "nothing that a subagent did or used is printed";
const unfinished = "a call is printed when it has ended, and this one was still running";

describeConformance(kilo);
describeExpectedOutputs(kilo);
describeTruth(kilo, {
  scenarios: {
    "7.7.9-killed": { files: unfinished, calls: unfinished },
    "7.7.9-skill": { files: "Kilo itself puts a .gitignore into .kilo" },
    "7.7.9-subagent": { files: unseen, tokens: unseen },
    "7.7.9-twosubs": { files: unseen, tokens: unseen },
  },
});
