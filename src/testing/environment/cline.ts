import { type AgentSetup, testKey } from "./agent-setup.js";

/**
 * Cline writes the provider and model of each run back into its settings, so prepare it again for every run. The local
 * backend keeps it from leaving a daemon behind. With telemetry, it takes 9 s to exit where it has no network (3.0.65).
 */
export const cline: AgentSetup = {
  agent: "cline",
  api: "chat",
  models: { chat: "scripted-model", anthropic: "claude-sonnet-4-5" },
  setup: ({ modelUrl, api, model }) => {
    const provider = api === "anthropic" ? "anthropic" : "openai-compatible";
    const settings = { provider, apiKey: testKey, model, baseUrl: `${modelUrl}/v1` };
    return {
      env: { CLINE_SESSION_BACKEND_MODE: "local", CLINE_NO_AUTO_UPDATE: "1" },
      files: {
        ".cline/data/settings/global-settings.json": JSON.stringify({ telemetryOptOut: true }),
        ".cline/data/settings/providers.json": JSON.stringify({
          version: 1,
          lastUsedProvider: provider,
          modes: {},
          providers: {
            [provider]: { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" },
          },
        }),
      },
    };
  },
};
