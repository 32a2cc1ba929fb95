import { claude } from "../../../src/agents/claude/definition.js";
import { describeLiveConformance } from "../../support/live-conformance.js";

describeLiveConformance(claude, ["stream-json-claude-2.1.197", "stream-json-claude-2.1.325"]);
