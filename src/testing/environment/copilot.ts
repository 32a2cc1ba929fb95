import { type AgentSetup, testKey } from "./agent-setup.js";

/** Copilot CLI with a custom provider, which works offline and without an account (1.0.102). */
export const copilot: AgentSetup = {
  agent: "copilot",
  api: "chat",
  models: { chat: "gpt-4.1", responses: "gpt-5.2-codex", anthropic: "claude-sonnet-4.5" },
  setup: ({ modelUrl, api, model }) => ({
    env: {
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_MODEL: model,
      COPILOT_PROVIDER_TYPE: api === "anthropic" ? "anthropic" : "openai",
      COPILOT_PROVIDER_BASE_URL: api === "anthropic" ? modelUrl : `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: testKey,
      ...(api === "responses" ? { COPILOT_PROVIDER_WIRE_API: "responses" } : {}),
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "200000",
      NO_COLOR: "1",
    },
  }),
};
