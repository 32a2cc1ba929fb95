import type { AgentDefinition } from "../definition.js";
import { launchAntigravity } from "./launch.js";
import { createAntigravityMapping } from "./mapping.js";
import { antigravityStreamedText } from "./streamed-text.js";

export const antigravity: AgentDefinition<"antigravity"> = {
  id: "antigravity",
  name: "Antigravity",
  aliases: ["agy", "google-antigravity", "antigravity-cli"],
  /** `antigravity` is the editor, which cannot run headless. */
  binaries: ["agy"],
  /** Nothing could be recorded: it needs a Google account. The mapping follows public captures of 1.1.8-1.3.1. */
  version: { args: ["--version"], recorded: [] },
  install: "curl -fsSL https://antigravity.google/cli/install.sh | bash",
  docs: "https://antigravity.google/docs",
  /** Signs in with a Google account; there is no key. */
  credentials: [],
  capabilities: {
    model: true,
    /** Headless, `--mode plan` still writes files, and so does a run without any permission flag (1.2.14). */
    readOnly: false,
    systemPrompt: false,
    appendSystemPrompt: false,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
  },
  traits: { isStreaming: true },
  streamedText: antigravityStreamedText,
  launch: launchAntigravity,
  createMapping: createAntigravityMapping,
};
