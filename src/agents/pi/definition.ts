import type { AgentDefinition } from "../definition.js";
import type { StreamedText } from "../streamed-text.js";
import { launchPi } from "./launch.js";
import { piRpc } from "./live/protocol.js";
import { createPiMapping } from "./mapping.js";
import { piStore } from "./store/store.js";

/** Each update carries a piece and, in 0.74, the whole message so far. A running call repeats its output so far. */
const streamedText: StreamedText = {
  pieces: [
    {
      when: {
        type: "message_update",
        "assistantMessageEvent.type": ["text_delta", "thinking_delta", "toolcall_delta"],
      },
      text: ["assistantMessageEvent.delta"],
      key: ["assistantMessageEvent.type", "assistantMessageEvent.contentIndex"],
    },
  ],
  growing: [{ type: "message_update" }, { type: "tool_execution_update" }],
};

export const pi: AgentDefinition<"pi"> = {
  id: "pi",
  name: "Pi",
  aliases: ["pi-coding-agent", "pi-agent", "pi-mono"],
  binaries: ["pi"],
  /** 0.74 prints its version on standard error. */
  version: { args: ["--version"], recorded: ["0.74.2", "0.87.1", "1.4.0"] },
  install: "npm install -g @earendil-works/pi-coding-agent",
  docs: "https://pi.dev",
  credentials: [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_OAUTH_TOKEN",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "OPENROUTER_API_KEY",
    "AI_GATEWAY_API_KEY",
    "XAI_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "DEEPSEEK_API_KEY",
  ],
  signIn: "`pi` and use /login",
  capabilities: {
    model: true,
    readOnly: true,
    systemPrompt: true,
    appendSystemPrompt: true,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
    mcpServers: true,
    effort: ["off", "minimal", "low", "medium", "high", "xhigh", "max"],
    allowedTools: true,
  },
  traits: { isStreaming: true },
  harmlessArguments: [/^--thinking=\w+$/, /^--provider=\w[\w.-]*$/, /^--no-session$/],
  streamedText,
  launch: launchPi,
  isolation: {
    variables: { HOME: "", PI_CODING_AGENT_DIR: ".pi/agent" },
    removed: ["PI_CODING_AGENT_SESSION_DIR"],
    credentials: [{ in: "PI_CODING_AGENT_DIR", file: "auth.json" }],
    inherited: ["AGENTS.md", "AGENTS.MD", "AGENTS.override.md", "CLAUDE.md", "CLAUDE.MD"],
    inheritedOutsideRepositories: [".agents/skills"],
  },
  createMapping: createPiMapping,
  live: piRpc,
  store: piStore,
};
