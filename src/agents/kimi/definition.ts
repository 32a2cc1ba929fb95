import type { AgentDefinition } from "../definition.js";
import { launchKimi } from "./launch.js";
import { createKimiMapping } from "./mapping.js";

/**
 * Kimi Code. Its stream has neither tokens, nor a cost, nor the model, and no thinking. Every text comes whole. The session's
 * id is in the last record, and there is no option that chooses one.
 */
export const kimi: AgentDefinition<"kimi"> = {
  id: "kimi",
  name: "Kimi Code",
  aliases: ["kimi-code", "kimi-cli", "moonshot", "moonshot-kimi"],
  binaries: ["kimi"],
  version: { args: ["--version"], recorded: ["2.1.0"] },
  install: "npm install -g @moonshot-ai/kimi-code",
  docs: "https://moonshotai.github.io/kimi-code/en/",
  credentials: ["KIMI_API_KEY", "KIMI_MODEL_API_KEY"],
  signIn: "`kimi login`",
  capabilities: {
    model: true,
    /** A run with a prompt may do everything, and Kimi refuses `--plan` with a prompt (2.1.0). */
    readOnly: false,
    /** Only the files of instructions, and a file with an agent of one's own. */
    systemPrompt: false,
    appendSystemPrompt: false,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
  },
  traits: { isStreaming: true },
  /**
   * Everything that its commands print is repeated on standard error (2.1.0). Only what Kimi says itself can explain a
   * failure: its errors, and what Node prints when it crashes.
   */
  stderrNoise: /^(?!error: |Session "|[A-Z]\w*Error\b)/,
  launch: launchKimi,
  createMapping: createKimiMapping,
};
