import type { AgentDefinition } from "../definition.js";
import { clineIsolation } from "./isolation.js";
import { launchCline } from "./launch.js";
import { createClineMapping } from "./mapping.js";
import { clineStreamedText } from "./streamed-text.js";

export const cline: AgentDefinition<"cline"> = {
  id: "cline",
  name: "Cline",
  aliases: ["cline-cli", "cline-bot"],
  binaries: ["cline"],
  version: { args: ["--version"], recorded: ["3.0.65"] },
  install: "npm install -g cline",
  docs: "https://docs.cline.bot/cli/overview",
  credentials: [
    "CLINE_API_KEY",
    "OPENROUTER_API_KEY",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
  ],
  signIn: "`cline auth`",
  capabilities: {
    model: true,
    readOnly: true,
    systemPrompt: true,
    /** `--system` replaces the prompt. No option adds to it. */
    appendSystemPrompt: false,
    maxTurns: false,
    maxBudgetUsd: false,
    /** `--id` forces interactive mode and drops the prompt (3.0.65). */
    resume: false,
    /** They take the place of the user's own servers, which are in one file. */
    mcpServers: true,
    effort: ["none", "low", "medium", "high", "xhigh"],
  },
  /** It goes on working after SIGTERM, but ends within half a second after SIGINT (3.0.65). */
  traits: { isStreaming: true, stopSignal: "SIGINT" },
  streamedText: clineStreamedText,
  /** Warnings of a library with their stack traces, and Cline's own errors, which the mapping reports. */
  stderrNoise: /AI SDK Warning|^ +at .*(?:\$bunfs|\(unknown:\d)|^\{"ts":"[^"]*","type":"error",/,
  harmlessArguments: [/^--thinking=\w+$/, /^--retries=\d+$/],
  isolation: clineIsolation,
  launch: launchCline,
  createMapping: createClineMapping,
};
