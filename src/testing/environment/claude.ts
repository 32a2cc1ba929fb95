import { type AgentSetup, testKey } from "./agent-setup.js";

/** Claude Code retries errors ten times, for minutes; here only twice. Root needs `IS_SANDBOX` to skip permissions. */
export const claude: AgentSetup = {
  agent: "claude",
  api: "anthropic",
  models: { anthropic: "claude-sonnet-4-5" },
  setup: ({ home, modelUrl, model }) => ({
    env: {
      CLAUDE_CONFIG_DIR: `${home}/.claude`,
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: testKey,
      ANTHROPIC_MODEL: model,
      CLAUDE_CODE_MAX_RETRIES: "2",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      ...(process.getuid?.() === 0 ? { IS_SANDBOX: "1" } : {}),
    },
  }),
};
