import type { AgentSetup } from "./agent-setup.js";
import { openCodeConfig, opencode, switches } from "./opencode.js";

/** Kilo Code uses OpenCode's configuration, in its own directory. */
export const kilo: AgentSetup = {
  agent: "kilo",
  api: opencode.api,
  models: opencode.models,
  setup: (place) => ({
    env: { ...switches("KILO"), KILO_TELEMETRY_LEVEL: "off", KILO_DISABLE_DEFAULT_PLUGINS: "1" },
    files: { ".config/kilo/kilo.json": openCodeConfig(place) },
  }),
};
