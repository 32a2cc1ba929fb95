import { type AgentSetup, testKey } from "./agent-setup.js";

/**
 * Qwen Code starts itself a second time by default, and signals do not reach that process; this is switched off (0.15.10).
 * Its to-do list is off by default (0.24.4).
 */
export const qwen: AgentSetup = {
  agent: "qwen",
  api: "chat",
  models: { chat: "scripted-model" },
  ignoresNoProxy: true,
  setup: ({ modelUrl, model }) => ({
    env: {
      OPENAI_API_KEY: testKey,
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_MODEL: model,
      QWEN_CODE_NO_RELAUNCH: "true",
      NO_COLOR: "1",
    },
    files: {
      ".qwen/settings.json": JSON.stringify({
        security: { auth: { selectedType: "openai" } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        tools: { todoWrite: { enabled: true } },
      }),
    },
  }),
};
