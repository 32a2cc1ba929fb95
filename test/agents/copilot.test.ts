import { copilot } from "../../src/agents/copilot/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(copilot, { withdrawn: ["1.0.102-cutoff", "cutoff", "cutofftool"] });
describeExpectedOutputs(copilot);
describeTruth(copilot);
