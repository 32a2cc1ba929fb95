import { type AgentSetup, testKey } from "./agent-setup.js";

/** Goose is configured by its environment alone. It uses the Responses API for models named `gpt-5…` (1.52.0). */
export const goose: AgentSetup = {
  agent: "goose",
  api: "chat",
  models: { chat: "gpt-4o", anthropic: "claude-sonnet-4-5", responses: "gpt-5-codex" },
  setup: ({ modelUrl, api, model }) => ({
    env: {
      GOOSE_PROVIDER: api === "anthropic" ? "anthropic" : "openai",
      GOOSE_MODEL: model,
      ...(api === "anthropic"
        ? { ANTHROPIC_HOST: modelUrl, ANTHROPIC_API_KEY: testKey }
        : { OPENAI_HOST: modelUrl, OPENAI_API_KEY: testKey }),
      GOOSE_MODE: "auto",
      GOOSE_DISABLE_KEYRING: "1",
      GOOSE_TELEMETRY_ENABLED: "false",
    },
  }),
};
