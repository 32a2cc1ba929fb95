import { goose } from "../../src/agents/goose/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(goose);
describeExpectedOutputs(goose);
const unseen = "what a subagent does is not in the stream, only the names of its tools";
describeTruth(goose, {
  scenarios: { "1.52.0-subfail": { files: unseen }, "1.52.0-twosubs": { files: unseen } },
});
