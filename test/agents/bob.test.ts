import { bob } from "../../src/agents/bob/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";

describeConformance(bob);
describeExpectedOutputs(bob);
