import type { AgentDefinition } from "../definition.js";
import { launchKimi } from "./launch.js";
import { createKimiMapping } from "./mapping.js";

/**
 * Kimi Code. Its stream has no tokens, no cost, no model and no thinking. Every text comes whole. Only the last record names
 * the session, and no option chooses its id.
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
    /** Instructions come only from files: those of the project, and the definition of a custom agent. */
    systemPrompt: false,
    appendSystemPrompt: false,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
    /** Servers, effort and tools are only in its settings. Its variable for the effort changes nothing in a request (2.1.0). */
  },
  traits: { isStreaming: true },
  /**
   * Standard error repeats everything that commands print (2.1.0). Only Kimi's own errors, and what Node prints in a crash,
   * can explain a failure.
   */
  stderrNoise: /^(?!error: |Session "|[A-Z]\w*Error\b)/,
  launch: launchKimi,
  isolation: {
    variables: { HOME: "", KIMI_CODE_HOME: ".kimi-code" },
    credentials: [{ in: "KIMI_CODE_HOME", file: "credentials/kimi-code.json" }],
  },
  createMapping: createKimiMapping,
};
