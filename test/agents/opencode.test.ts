import { opencode } from "../../src/agents/opencode/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";

describeConformance(opencode);
describeExpectedOutputs(opencode);
