import type { AgentDefinition } from "../definition.js";
import { claudeStreamedText } from "../shared/claude-stream/streamed-text.js";
import { launchQwen } from "./launch.js";
import { qwenLive } from "./live/protocol.js";
import { createQwenMapping } from "./mapping.js";

export const qwen: AgentDefinition<"qwen"> = {
  id: "qwen",
  name: "Qwen Code",
  aliases: ["qwen-code", "qwen-cli", "alibaba-qwen-code"],
  binaries: ["qwen"],
  version: { args: ["--version"], recorded: ["0.15.10", "0.24.4"] },
  install: "npm install -g @qwen-code/qwen-code",
  docs: "https://qwenlm.github.io/qwen-code-docs",
  credentials: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"],
  signIn: "`qwen` and use /auth",
  capabilities: {
    model: true,
    readOnly: true,
    systemPrompt: true,
    appendSystemPrompt: true,
    maxTurns: true,
    maxBudgetUsd: false,
    resume: true,
    mcpServers: true,
    /** `--core-tools` leaves a dozen other tools in place (0.24.4), so there is no `allowedTools`. Effort is only in its settings. */
    schema: true,
  },
  traits: { isStreaming: true },
  harmlessArguments: [/^--max-session-turns=\d+$/, /^--auth-type=\w[\w-]*$/],
  permissionVariables: ["QWEN_COMPUTER_USE_AUTO_APPROVE"],
  logMark: /"qwen_code_version":/,
  streamedText: claudeStreamedText,
  /** Every run with full access prints the first, every retry the second (0.24.4). */
  stderrNoise: /^(?:Warning: running headless with --yolo|Retrying provider attempt )/,
  launch: launchQwen,
  isolation: {
    variables: { HOME: "", QWEN_HOME: ".qwen" },
    removed: ["QWEN_RUNTIME_DIR", "QWEN_SYSTEM_MD", "QWEN_SYSTEM_IDENTITY_MD", "QWEN_CODE_MEMORY_BASE_DIR"],
    credentials: [{ in: "QWEN_HOME", file: "oauth_creds.json" }],
    inherited: ["QWEN.md", "AGENTS.md", ".env", ".qwen/.env"],
  },
  createMapping: createQwenMapping,
  live: qwenLive,
};
