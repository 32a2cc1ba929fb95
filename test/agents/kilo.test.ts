import { kilo } from "../../src/agents/kilo/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(kilo);
describeExpectedOutputs(kilo);
describeTruth(kilo);
