import { antigravity } from "../../src/agents/antigravity/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";

describeConformance(antigravity);
describeExpectedOutputs(antigravity);
