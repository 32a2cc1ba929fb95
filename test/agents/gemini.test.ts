import { gemini } from "../../src/agents/gemini/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(gemini);
describeExpectedOutputs(gemini);
describeTruth(gemini);
