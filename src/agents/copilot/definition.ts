import type { AgentDefinition } from "../definition.js";
import type { StreamedText } from "../streamed-text.js";
import { launchCopilot } from "./launch.js";
import { copilotLive } from "./live/protocol.js";
import { createCopilotMapping } from "./mapping.js";

/** Messages, reasoning, arguments and the output of commands come in pieces, with other records between them. */
const streamedText: StreamedText = {
  pieces: [
    { when: { type: "assistant.message_delta" }, text: ["data.deltaContent"], key: ["data.messageId"] },
    { when: { type: "assistant.reasoning_delta" }, text: ["data.deltaContent"], key: ["data.reasoningId"] },
    { when: { type: "assistant.tool_call_delta" }, text: ["data.inputDelta"], key: ["data.toolCallId"] },
    { when: { type: "tool.shell_output" }, text: ["data.text"], key: ["data.toolCallId", "data.stream"] },
  ],
  ends: [
    { when: { type: "assistant.message" }, key: ["data.messageId"] },
    { when: { type: "assistant.reasoning" }, key: ["data.reasoningId"] },
    { when: { type: ["tool.execution_start", "tool.execution_complete"] }, key: ["data.toolCallId"] },
    { when: { type: ["assistant.turn_retry", "assistant.turn_end", "assistant.idle", "result"] } },
  ],
  between: [{ type: ["session.background_tasks_changed", "assistant.message_start"] }],
  /** The whole output so far. */
  growing: [{ type: "tool.execution_partial_result" }],
};

/**
 * GitHub Copilot CLI. Its stream has neither tokens nor a cost: it writes them to a file that `--usage-output-file` names,
 * and harness reads only what an agent prints. Only the last record names the session, so a new run is given an id.
 */
export const copilot: AgentDefinition<"copilot"> = {
  id: "copilot",
  name: "GitHub Copilot CLI",
  aliases: ["copilot-cli", "github-copilot", "github-copilot-cli", "gh-copilot"],
  binaries: ["copilot"],
  version: { args: ["--version"], recorded: ["1.0.102"] },
  install: "npm install -g @github/copilot",
  docs: "https://docs.github.com/copilot/concepts/agents/about-copilot-cli",
  credentials: [
    "COPILOT_GITHUB_TOKEN",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "COPILOT_PROVIDER_API_KEY",
    "COPILOT_PROVIDER_BEARER_TOKEN",
  ],
  signIn: "`copilot login`",
  capabilities: {
    model: true,
    readOnly: true,
    /** Instructions come only from files of the project and the user. */
    systemPrompt: false,
    appendSystemPrompt: false,
    /** `--max-autopilot-continues` counts messages of autopilot mode, not turns. */
    maxTurns: false,
    /** `--max-ai-credits` counts credits, not dollars. */
    maxBudgetUsd: false,
    resume: true,
    mcpServers: true,
    effort: ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
    allowedTools: true,
  },
  traits: { isStreaming: true },
  streamedText,
  /** The first is printed at the first start of a version. The second is a consequence of being stopped. */
  stderrNoise:
    /^Package extraction took \d+ms$|^Error executing prompt: Error: Cannot invoke native session after disposal/,
  harmlessArguments: [
    /^--reasoning-effort=\w+$/,
    /^--context=\w+$/,
    /^--stream=(?:on|off)$/,
    /^--max-ai-credits=\d+$/,
    /^--(?:no-ask-user|no-auto-update|no-custom-instructions|disable-builtin-mcps)$/,
  ],
  permissionVariables: ["COPILOT_ALLOW_ALL", "COPILOT_ASSISTED_APPROVAL"],
  launch: launchCopilot,
  isolation: {
    variables: {
      HOME: "",
      COPILOT_HOME: ".copilot",
      XDG_CONFIG_HOME: ".config",
      XDG_STATE_HOME: ".local/state",
      XDG_CACHE_HOME: ".cache",
    },
    removed: ["COPILOT_CUSTOM_INSTRUCTIONS_DIRS"],
    credentials: [
      { in: "XDG_CONFIG_HOME", file: "gh/hosts.yml" },
      {
        in: "COPILOT_HOME",
        file: "config.json",
        keys: ["lastLoggedInUser", "loggedInUsers", "copilotTokens"],
      },
    ],
    inheritedOutsideRepositories: [
      ".agents/skills",
      ".claude/skills",
      ".github/skills",
      ".claude/agents",
      ".github/agents",
      ".claude/commands",
    ],
    caches: [".cache/copilot"],
  },
  createMapping: createCopilotMapping,
  live: copilotLive,
};
