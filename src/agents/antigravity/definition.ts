import type { AgentDefinition } from "../definition.js";
import { launchAntigravity } from "./launch.js";
import { createAntigravityMapping } from "./mapping.js";

export const antigravity: AgentDefinition<"antigravity"> = {
  id: "antigravity",
  name: "Antigravity",
  aliases: ["agy", "google-antigravity", "antigravity-cli"],
  /** `antigravity` is the editor, which cannot run headless. */
  binaries: ["agy"],
  /** No runs were recorded, since that takes a Google account. The mapping follows public captures of 1.1.8-1.3.1. */
  version: { args: ["--version"], recorded: [] },
  install: "curl -fsSL https://antigravity.google/cli/install.sh | bash",
  docs: "https://antigravity.google/docs",
  /** It signs in with a Google account and has no API key. */
  credentials: [],
  signIn: "`agy` and sign in with a Google account",
  capabilities: {
    model: true,
    /** A headless run writes files even with `--mode plan` or without any permission flag (1.2.14). */
    readOnly: false,
    systemPrompt: false,
    appendSystemPrompt: false,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
    /** As old as its stream: both came with 1.1.8. The answer itself is then JSON. */
    schema: true,
  },
  traits: { isStreaming: true },
  /** Each step streams its own answer in pieces. Other steps repeat what there is so far. */
  streamedText: {
    pieces: [
      {
        when: { event: "step_update" },
        text: ["step_update.text_delta", "step_update.thinking_delta"],
        key: ["step_update.step_index"],
      },
      { when: { event: "step_update" }, text: ["text_delta", "thinking_delta"], key: ["step_index"] },
    ],
    growing: [{ "step_update.state": "ACTIVE" }, { state: "ACTIVE" }],
  },
  launch: launchAntigravity,
  /** There is no `isolation`: where it keeps its sign-in is not documented. */
  createMapping: createAntigravityMapping,
};
