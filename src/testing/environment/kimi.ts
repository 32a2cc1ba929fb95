import type { ModelApi } from "../apis/dialect.js";
import { type AgentSetup, testKey } from "./agent-setup.js";

const types: { readonly [Api in ModelApi]?: string } = {
  chat: "openai",
  anthropic: "anthropic",
  responses: "openai_responses",
};

/** Kimi Code with a provider of its own configuration. It needs Node 22.19 or newer (2.1.0). */
export const kimi: AgentSetup = {
  agent: "kimi",
  api: "chat",
  models: { chat: "scripted-model", anthropic: "claude-scripted", responses: "gpt-scripted" },
  setup: ({ modelUrl, api, model }) => ({
    env: { NO_COLOR: "1" },
    files: {
      ".kimi-code/config.toml": [
        'default_model = "scripted"',
        'default_permission_mode = "auto"',
        "telemetry = false",
        "[providers.scripted]",
        `type = ${JSON.stringify(types[api])}`,
        `base_url = ${JSON.stringify(api === "anthropic" ? modelUrl : `${modelUrl}/v1`)}`,
        `api_key = ${JSON.stringify(testKey)}`,
        "[models.scripted]",
        'provider = "scripted"',
        `model = ${JSON.stringify(model)}`,
        "max_context_size = 200000",
        'capabilities = ["thinking", "tool_use", "image_in"]',
        'display_name = "Scripted"',
        "",
      ].join("\n"),
    },
  }),
};
