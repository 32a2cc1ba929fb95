import type { AgentDefinition } from "../definition.js";
import { createOpencodeStore } from "../shared/opencode-store/store.js";
import { inOwnFolder, isolateOpencode } from "../shared/opencode-stream/isolation.js";
import { opencodeEffort } from "../shared/opencode-stream/launch.js";
import { opencodeStreamedText } from "../shared/opencode-stream/streamed-text.js";
import { launchOpencode } from "./launch.js";
import { opencodeServe } from "./live/protocol.js";
import { createOpencodeMapping, opencodeDialect } from "./mapping.js";

export const opencode: AgentDefinition<"opencode"> = {
  id: "opencode",
  name: "OpenCode",
  aliases: ["open-code", "opencode-ai", "opencode-cli", "sst-opencode"],
  binaries: ["opencode"],
  version: { args: ["--version"], recorded: ["1.18.33"] },
  install: "npm install -g opencode-ai",
  docs: "https://opencode.ai/docs/cli",
  credentials: [
    "OPENCODE_API_KEY",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "GOOGLE_GENERATIVE_AI_API_KEY",
  ],
  signIn: "`opencode auth login`",
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
  permissionVariables: ["OPENCODE_PERMISSION"],
  /** The order of its keys (1.18.33). Earlier versions have that of Kilo Code. */
  logMark:
    /^\{"type":"\w+","timestamp":\d+,"sessionID":"[^"]*","part":\{"(?:id":"[^"]*","(?:messageID|reason)|type":"tool","tool)"/,
  streamedText: opencodeStreamedText,
  isolation: isolateOpencode({
    name: "opencode",
    prefix: "OPENCODE",
    inherited: [
      ...["AGENTS.md", "CLAUDE.md", "CONTEXT.md", ".claude/skills", ".agents/skills"],
      ...["opencode.json", "opencode.jsonc"],
      ...inOwnFolder(".opencode", ["opencode.json", "opencode.jsonc"]),
    ],
  }),
  launch: launchOpencode,
  createMapping: createOpencodeMapping,
  live: opencodeServe,
  store: createOpencodeStore({ id: "opencode-db", name: "opencode", dialect: opencodeDialect }),
};
