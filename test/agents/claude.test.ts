import { claude } from "../../src/agents/claude/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";

describeConformance(claude);
describeExpectedOutputs(claude);
