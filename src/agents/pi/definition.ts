import type { AgentDefinition } from "../definition.js";
import { launchPi } from "./launch.js";
import { createPiMapping } from "./mapping.js";
import { piStreamedText } from "./streamed-text.js";

export const pi: AgentDefinition<"pi"> = {
  id: "pi",
  name: "Pi",
  aliases: ["pi-coding-agent", "pi-agent", "pi-mono"],
  binaries: ["pi"],
  /** 0.74 prints it on standard error. */
  version: { args: ["--version"], recorded: ["0.74.2", "0.87.1"] },
  install: "npm install -g @earendil-works/pi-coding-agent",
  docs: "https://pi.dev",
  credentials: [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_OAUTH_TOKEN",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "OPENROUTER_API_KEY",
    "AI_GATEWAY_API_KEY",
    "XAI_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "DEEPSEEK_API_KEY",
  ],
  capabilities: {
    model: true,
    readOnly: true,
    systemPrompt: true,
    appendSystemPrompt: true,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
  },
  traits: { isStreaming: true },
  harmlessArguments: [/^--thinking=\w+$/, /^--provider=\w[\w.-]*$/, /^--no-session$/],
  streamedText: piStreamedText,
  launch: launchPi,
  createMapping: createPiMapping,
};
