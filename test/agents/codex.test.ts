import { codex } from "../../src/agents/codex/definition.js";
import { describeConformance } from "../support/conformance.js";

describeConformance(codex);
