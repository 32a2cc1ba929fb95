import { type AgentSetup, testKey } from "./agent-setup.js";

/**
 * Gemini CLI. It starts itself a second time, which signals do not reach, unless it is told not to, and tries a model
 * that does not answer ten times, for minutes: here twice (0.61.0).
 */
export const gemini: AgentSetup = {
  agent: "gemini",
  api: "gemini",
  models: { gemini: "gemini-2.5-pro" },
  setup: ({ modelUrl, model }) => ({
    env: {
      GEMINI_API_KEY: testKey,
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_MODEL: model,
      GEMINI_CLI_NO_RELAUNCH: "true",
      NO_COLOR: "1",
    },
    files: {
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
      }),
    },
  }),
};
