import { cursor } from "../../src/agents/cursor/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";

describeConformance(cursor);
describeExpectedOutputs(cursor);
