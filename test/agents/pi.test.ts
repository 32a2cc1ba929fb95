import { pi } from "../../src/agents/pi/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(pi);
describeExpectedOutputs(pi);
describeTruth(pi);
