import { generic } from "../../src/agents/generic/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";

describeConformance(generic);
describeExpectedOutputs(generic);
