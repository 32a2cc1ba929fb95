import { type AgentSetup, testKey } from "./agent-setup.js";

/**
 * Gemini CLI starts itself a second time by default, and signals do not reach that process; this is switched off. It
 * retries a model that does not answer ten times, for minutes; here only twice (0.61.0).
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
