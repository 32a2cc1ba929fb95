import type { ModelApi } from "../apis/dialect.js";
import { type AgentSetup, testKey } from "./agent-setup.js";

const apis: { readonly [Api in ModelApi]?: string } = {
  chat: "openai-completions",
  anthropic: "anthropic-messages",
  responses: "openai-responses",
};

/** Pi's Anthropic client adds `/v1` to the address by itself. */
export const pi: AgentSetup = {
  agent: "pi",
  api: "chat",
  models: { chat: "scripted-model", anthropic: "claude-scripted", responses: "gpt-scripted" },
  setup: ({ modelUrl, api, model }) => ({
    env: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
    files: {
      ".pi/agent/settings.json": JSON.stringify({ defaultProvider: "scripted", defaultModel: model }),
      ".pi/agent/models.json": JSON.stringify({
        providers: {
          scripted: {
            baseUrl: api === "anthropic" ? modelUrl : `${modelUrl}/v1`,
            api: apis[api],
            apiKey: testKey,
            models: [
              {
                id: model,
                name: model,
                reasoning: true,
                input: ["text"],
                contextWindow: 200_000,
                maxTokens: 8_000,
              },
            ],
          },
        },
      }),
    },
  }),
};
