import type { ModelApi } from "../apis/dialect.js";
import { type AgentPlace, type AgentSetup, testKey } from "./agent-setup.js";

/** OpenCode's search tools need `rg` on PATH, because it cannot download it here. */
export const opencode: AgentSetup = {
  agent: "opencode",
  api: "chat",
  models: { chat: "scripted-model", anthropic: "claude-scripted", responses: "gpt-5-scripted" },
  setup: (place) => ({
    env: switches("OPENCODE"),
    files: { ".config/opencode/opencode.json": openCodeConfig(place) },
  }),
};

/** Kilo Code, a fork of OpenCode, uses the same configuration in its own directory. */
export const kilo: AgentSetup = {
  agent: "kilo",
  api: opencode.api,
  models: opencode.models,
  setup: (place) => ({
    env: { ...switches("KILO"), KILO_TELEMETRY_LEVEL: "off", KILO_DISABLE_DEFAULT_PLUGINS: "1" },
    files: { ".config/kilo/kilo.json": openCodeConfig(place) },
  }),
};

/** Switches off network features of OpenCode and its fork, each under its own prefix. */
function switches(prefix: string): Record<string, string> {
  return {
    [`${prefix}_DISABLE_AUTOUPDATE`]: "1",
    [`${prefix}_DISABLE_MODELS_FETCH`]: "1",
    [`${prefix}_DISABLE_LSP_DOWNLOAD`]: "1",
    [`${prefix}_DISABLE_SHARE`]: "1",
  };
}

/** These packages are bundled with the program. */
const packages: { readonly [Api in ModelApi]?: string } = {
  chat: "@ai-sdk/openai-compatible",
  anthropic: "@ai-sdk/anthropic",
  responses: "@ai-sdk/openai",
};

function openCodeConfig({ api, model, modelUrl }: AgentPlace): string {
  return JSON.stringify({
    autoupdate: false,
    share: "disabled",
    model: `scripted/${model}`,
    small_model: `scripted/${model}`,
    enabled_providers: ["scripted"],
    provider: {
      scripted: {
        npm: packages[api],
        name: "Scripted",
        options: { baseURL: `${modelUrl}/v1`, apiKey: testKey },
        models: {
          [model]: {
            name: model,
            tool_call: true,
            reasoning: true,
            limit: { context: 200_000, output: 8_000 },
          },
        },
      },
    },
  });
}
