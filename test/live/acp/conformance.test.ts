import { acp } from "../../../src/agents/acp/definition.js";
import { copilot } from "../../../src/agents/copilot/definition.js";
import { gemini } from "../../../src/agents/gemini/definition.js";
import { goose } from "../../../src/agents/goose/definition.js";
import { qwen } from "../../../src/agents/qwen/definition.js";
import { describeLiveConformance } from "../../support/live-conformance.js";

describeLiveConformance(goose, ["acp-goose"]);
describeLiveConformance(gemini, ["acp-gemini"]);
describeLiveConformance(qwen, ["acp-qwen"]);
describeLiveConformance(copilot, ["acp-copilot"]);
describeLiveConformance(acp, [
  "acp-claude-agent-acp",
  "acp-codex-acp",
  "acp-opencode",
  "acp-kilo",
  "acp-cline",
  "acp-pi-acp",
]);
