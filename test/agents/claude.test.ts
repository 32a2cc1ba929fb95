import { claude } from "../../src/agents/claude/definition.js";
import { describeConformance } from "../support/conformance.js";

describeConformance(claude);
