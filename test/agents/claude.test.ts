import { claude } from "../../src/agents/claude/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(claude);
describeExpectedOutputs(claude);
describeTruth(claude);
