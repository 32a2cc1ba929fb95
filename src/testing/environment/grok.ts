import { type AgentSetup, testKey } from "./agent-setup.js";

/** Grok Build with a model of its own configuration, which works offline and without an account (1.0.41). */
export const grok: AgentSetup = {
  agent: "grok",
  api: "chat",
  models: { chat: "scripted-model" },
  setup: ({ modelUrl, model }) => ({
    env: { SCRIPTED_API_KEY: testKey, NO_COLOR: "1" },
    files: {
      ".grok/config.toml": [
        "[models]",
        'default = "scripted"',
        "[model.scripted]",
        `model = ${JSON.stringify(model)}`,
        `base_url = ${JSON.stringify(`${modelUrl}/v1`)}`,
        'env_key = "SCRIPTED_API_KEY"',
        'name = "Scripted"',
        "context_window = 200000",
        "[features]",
        "telemetry = false",
        "",
      ].join("\n"),
    },
  }),
};
