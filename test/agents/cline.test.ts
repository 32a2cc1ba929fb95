import { cline } from "../../src/agents/cline/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(cline);
describeExpectedOutputs(cline);
describeTruth(cline);
