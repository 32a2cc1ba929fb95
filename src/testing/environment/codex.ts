import { type AgentSetup, testKey } from "./agent-setup.js";

/**
 * Codex has its direct tools with `gpt-5.5`. A model that its build does not know adds a warning to every run. Without the
 * feature switch it waits forever for a server that does not exist (0.166.0).
 */
export const codex: AgentSetup = {
  agent: "codex",
  api: "responses",
  models: { responses: "gpt-5.5" },
  setup: ({ home, modelUrl, model }) => ({
    env: { CODEX_HOME: `${home}/.codex`, SCRIPTED_API_KEY: testKey },
    files: {
      ".codex/config.toml": `model = ${JSON.stringify(model)}
model_provider = "scripted"
approval_policy = "never"
check_for_update_on_startup = false

[features]
unbounded_connection_retries = false

[analytics]
enabled = false

[model_providers.scripted]
name = "Scripted model"
base_url = ${JSON.stringify(`${modelUrl}/v1`)}
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 2
stream_max_retries = 2
stream_idle_timeout_ms = 20000
`,
    },
  }),
};
