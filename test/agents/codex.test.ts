import { codex } from "../../src/agents/codex/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(codex);
describeExpectedOutputs(codex);
describeTruth(codex);
