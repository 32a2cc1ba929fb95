import { droid } from "../../src/agents/droid/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(droid);
describeExpectedOutputs(droid);
describeTruth(droid);
