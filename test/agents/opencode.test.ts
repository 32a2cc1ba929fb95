import { opencode } from "../../src/agents/opencode/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(opencode);
describeExpectedOutputs(opencode);
describeTruth(opencode);
