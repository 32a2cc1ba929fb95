import type { AgentDefinition } from "../definition.js";
import { claudeStreamedText } from "../shared/claude-stream/streamed-text.js";
import { launchClaude } from "./launch.js";
import { claudeLive } from "./live/protocol.js";
import { createClaudeMapping } from "./mapping.js";
import { claudeStore } from "./store/store.js";

export const claude: AgentDefinition<"claude"> = {
  id: "claude",
  name: "Claude Code",
  aliases: ["claude-code", "anthropic-claude-code"],
  binaries: ["claude"],
  version: { args: ["--version"], recorded: ["2.1.197", "2.1.325"] },
  install: "npm install -g @anthropic-ai/claude-code",
  docs: "https://docs.claude.com/en/docs/claude-code",
  credentials: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
  signIn: "`claude` and use /login",
  capabilities: {
    model: true,
    readOnly: true,
    systemPrompt: true,
    appendSystemPrompt: true,
    maxTurns: true,
    maxBudgetUsd: true,
    resume: true,
    mcpServers: true,
    effort: ["low", "medium", "high", "xhigh", "max"],
    allowedTools: true,
    schema: true,
  },
  /** On SIGTERM it kills its own tool, treats that as a failure of the tool, and asks its model again. */
  traits: { isStreaming: true, stopSignal: "SIGINT" },
  harmlessArguments: [
    /^--effort=\w+$/,
    /^--fallback-model=\w[\w.:/@-]*$/,
    /^--max-(?:turns|budget-usd)=[\d.]+$/,
    /^--(?:verbose|no-session-persistence)$/,
  ],
  logMark: /"claude_code_version":/,
  streamedText: claudeStreamedText,
  launch: launchClaude,
  /** Managed settings (`/etc/claude-code`) are the machine's, and still hold. On macOS a sign-in is in the keychain, and does not reach it. */
  isolation: {
    variables: { CLAUDE_CONFIG_DIR: ".claude" },
    credentials: [{ in: "CLAUDE_CONFIG_DIR", file: ".credentials.json" }],
    inherited: [
      "CLAUDE.md",
      "CLAUDE.local.md",
      ".claude/CLAUDE.md",
      ".claude/rules",
      ".mcp.json",
      "AGENTS.md",
      ".claude/AGENTS.md",
    ],
    inheritedOutsideRepositories: [".claude/skills", ".claude/agents"],
  },
  createMapping: createClaudeMapping,
  live: claudeLive,
  store: claudeStore,
};
