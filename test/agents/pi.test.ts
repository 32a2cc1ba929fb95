import { pi } from "../../src/agents/pi/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";

describeConformance(pi);
describeExpectedOutputs(pi);
