import { copilot } from "../../src/agents/copilot/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(copilot);
describeExpectedOutputs(copilot);
describeTruth(copilot);
