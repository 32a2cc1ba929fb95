import type { AgentDefinition } from "../definition.js";
import { createOpencodeStore } from "../shared/opencode-store/store.js";
import { inOwnFolder, isolateOpencode } from "../shared/opencode-stream/isolation.js";
import { opencodeEffort } from "../shared/opencode-stream/launch.js";
import { opencodeStreamedText } from "../shared/opencode-stream/streamed-text.js";
import { launchKilo } from "./launch.js";
import { kiloServe } from "./live/protocol.js";
import { createKiloMapping, kiloDialect } from "./mapping.js";

const configs = ["kilo.json", "kilo.jsonc", "opencode.json", "opencode.jsonc"];

export const kilo: AgentDefinition<"kilo"> = {
  id: "kilo",
  name: "Kilo Code",
  aliases: ["kilo-code", "kilo-cli", "kilo-code-cli", "@kilocode/cli"],
  binaries: ["kilo", "kilocode"],
  version: { args: ["--version"], recorded: ["7.7.9"] },
  install: "npm install -g @kilocode/cli",
  docs: "https://kilo.ai/docs/code-with-ai/platforms/cli",
  credentials: ["KILO_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"],
  signIn: "`kilo auth login`",
  /** `run` has no option for a system prompt, a number of turns or a budget. */
  capabilities: {
    model: true,
    readOnly: true,
    systemPrompt: false,
    appendSystemPrompt: false,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
    mcpServers: true,
    effort: opencodeEffort,
    allowedTools: true,
  },
  traits: { isStreaming: true },
  harmlessArguments: [/^--variant=\w+$/, /^--thinking$/],
  permissionVariables: ["KILO_PERMISSION"],
  streamedText: opencodeStreamedText,
  isolation: isolateOpencode({
    name: "kilo",
    prefix: "KILO",
    inherited: [...configs, ...inOwnFolder(".kilo", configs), ...inOwnFolder(".kilocode", configs)],
  }),
  launch: launchKilo,
  createMapping: createKiloMapping,
  live: kiloServe,
  store: createOpencodeStore({ id: "kilo-db", name: "kilo", dialect: kiloDialect }),
};
