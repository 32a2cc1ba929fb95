import type { ModelApi } from "../apis/dialect.js";
import { type AgentSetup, testKey } from "./agent-setup.js";

const providers: { readonly [Api in ModelApi]?: string } = {
  chat: "generic-chat-completion-api",
  anthropic: "anthropic",
  responses: "openai",
};

/** Factory Droid with a custom model, which works offline and without an account (0.225.2). */
export const droid: AgentSetup = {
  agent: "droid",
  api: "chat",
  models: { chat: "scripted-model", anthropic: "claude-scripted", responses: "gpt-scripted" },
  setup: ({ modelUrl, api, model }) => ({
    env: { FACTORY_API_KEY: "fk-test", NO_COLOR: "1" },
    args: ["--model", `custom:${model}`],
    files: {
      ".factory/settings.json": JSON.stringify({
        customModels: [
          {
            model,
            displayName: "Scripted",
            baseUrl: api === "anthropic" ? modelUrl : `${modelUrl}/v1`,
            apiKey: testKey,
            provider: providers[api],
            maxOutputTokens: 16_384,
          },
        ],
        cloudSessionSync: false,
      }),
    },
  }),
};
