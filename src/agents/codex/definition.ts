import type { AgentDefinition } from "../definition.js";
import { launchCodex } from "./launch.js";
import { createCodexMapping } from "./mapping.js";
import { codexStreamedText } from "./streamed-text.js";

export const codex: AgentDefinition<"codex"> = {
  id: "codex",
  name: "Codex",
  aliases: ["openai-codex", "codex-cli"],
  binaries: ["codex"],
  version: { args: ["--version"], recorded: ["0.166.0"] },
  install: "npm install -g @openai/codex",
  docs: "https://developers.openai.com/codex/cli",
  credentials: ["OPENAI_API_KEY", "CODEX_API_KEY"],
  capabilities: {
    model: true,
    readOnly: true,
    /** The base prompt can only be replaced by a file (`model_instructions_file`). */
    systemPrompt: false,
    appendSystemPrompt: true,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
  },
  traits: { isStreaming: true, narrates: true },
  streamedText: codexStreamedText,
  /**
   * Printed whenever standard input is not a terminal, and its log: what went wrong with a tool is for the
   * model, and what could not be saved is a consequence of the end.
   */
  stderrNoise:
    /^Reading (?:additional input|prompt) from stdin\.\.\.$|^\S+Z +ERROR codex_core::(?:tools::router|session): /,
  harmlessArguments: [/^(?:-c|--config)=model_(?:reasoning_effort|reasoning_summary|verbosity)="?\w+"?$/],
  launch: launchCodex,
  createMapping: createCodexMapping,
};
