import type { AgentDefinition } from "../definition.js";
import { claudeStreamedText } from "../shared/claude-stream/streamed-text.js";
import { launchGrok } from "./launch.js";
import { createGrokMapping } from "./mapping.js";

/** Launched with `--output-format streaming-messages-json --include-partial-messages`. `streaming-json` is understood as well. */
export const grok: AgentDefinition<"grok"> = {
  id: "grok",
  name: "Grok Build",
  aliases: ["grok-build", "grok-cli", "xai-grok"],
  binaries: ["grok"],
  version: { args: ["--version"], recorded: ["1.0.41"] },
  install: "npm install -g @xai-official/grok",
  docs: "https://docs.x.ai/build/overview",
  credentials: ["XAI_API_KEY"],
  signIn: "`grok login`",
  capabilities: {
    model: true,
    readOnly: true,
    systemPrompt: true,
    appendSystemPrompt: true,
    maxTurns: true,
    maxBudgetUsd: false,
    resume: true,
    /** MCP servers are only in its settings. */
    effort: ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
    allowedTools: true,
    schema: true,
  },
  traits: { isStreaming: true },
  harmlessArguments: [/^--(?:reasoning-effort|effort)=\w+$/, /^--max-turns=\d+$/, /^--no-subagents$/],
  permissionVariables: ["GROK_SANDBOX"],
  /** The order of its keys (1.0.41), and `streaming-json`. */
  logMark: /^\{"type":"(?:system","subtype":"init","session_id":"[^"]*","apiKeySource"|available_commands")/,
  streamedText: {
    ...claudeStreamedText,
    /** `streaming-json` */
    pieces: [
      ...claudeStreamedText.pieces,
      { when: { type: "text" }, text: ["data"], key: ["type"] },
      { when: { type: "thought" }, text: ["data"], key: ["type"] },
    ],
    ends: [...(claudeStreamedText.ends ?? []), { when: { type: ["usage", "tool_call", "end", "error"] } }],
    between: [...(claudeStreamedText.between ?? []), { type: "available_commands" }],
  },
  launch: launchGrok,
  /** Managed settings (`/etc/grok`, `/etc/claude-code`) are the machine's, and still hold. Grok reads what is there for Claude Code and Cursor, too. */
  isolation: {
    variables: { HOME: "", GROK_HOME: ".grok" },
    removed: ["GROK_CONFIG", "GROK_CONFIG_PATH"],
    credentials: [{ in: "GROK_HOME", file: "auth.json" }],
  },
  createMapping: createGrokMapping,
};
