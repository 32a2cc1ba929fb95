import { goose } from "../../src/agents/goose/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(goose);
describeExpectedOutputs(goose);
describeTruth(goose);
