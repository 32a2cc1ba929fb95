import type { AgentDefinition } from "../definition.js";
import type { Isolation } from "../isolation.js";
import type { StreamedText } from "../streamed-text.js";
import { launchGoose } from "./launch.js";
import { gooseLive } from "./live/protocol.js";
import { createGooseMapping } from "./mapping.js";

/** The records of a message share its id. */
const streamedText: StreamedText = {
  pieces: [
    {
      when: { type: "message", "message.role": "assistant" },
      text: ["message.content.*.text", "message.content.*.thinking", "message.content.*.reasoning"],
      key: ["message.id"],
    },
  ],
};

/**
 * `HOME` is moved too, because it also reads `~/.agents`, `~/.claude/skills` and `~/.goose` (1.52.0). Above its working directory it
 * reads nothing but what the repository has. `/etc/goose` belongs to the machine. Which provider to use is a setting: an isolated
 * run needs `GOOSE_PROVIDER`, or a `home` with `.config/goose/config.yaml`.
 */
const isolation: Isolation = {
  variables: {
    HOME: "",
    XDG_CONFIG_HOME: ".config",
    XDG_DATA_HOME: ".local/share",
    XDG_STATE_HOME: ".local/state",
  },
  removed: [
    "GOOSE_PATH_ROOT",
    "GOOSE_ADDITIONAL_CONFIG_FILES",
    "GOOSE_SYSTEM_PROMPT_FILE_PATH",
    "GOOSE_MOIM_MESSAGE_TEXT",
    "GOOSE_MOIM_MESSAGE_FILE",
    "GOOSE_RECIPE_PATH",
    "CONTEXT_FILE_NAMES",
  ],
  /** The first is used without a keyring. The others are made by signing in to one provider. */
  credentials: [
    "secrets.yaml",
    "chatgpt_codex/tokens.json",
    "gemini_oauth/tokens.json",
    "githubcopilot/info.json",
    "xai_oauth/tokens.json",
    "databricks/oauth",
    "huggingface/oauth",
  ].map((file) => ({ in: "XDG_CONFIG_HOME", file: `goose/${file}` })),
};

export const goose: AgentDefinition<"goose"> = {
  id: "goose",
  name: "Goose",
  aliases: ["block-goose", "codename-goose", "goose-cli", "aaif-goose"],
  binaries: ["goose"],
  version: { args: ["--version"], recorded: ["1.52.0"] },
  install:
    "curl -fsSL https://github.com/aaif-goose/goose/releases/download/stable/download_cli.sh | CONFIGURE=false bash",
  docs: "https://goose-docs.ai/docs/guides/goose-cli-commands",
  credentials: [
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GOOGLE_API_KEY",
    "OPENROUTER_API_KEY",
    "DATABRICKS_TOKEN",
    "GROQ_API_KEY",
    "XAI_API_KEY",
  ],
  signIn: "`goose configure`",
  capabilities: {
    model: true,
    readOnly: true,
    /** `--system` adds to the prompt; there is no option that replaces it. */
    systemPrompt: false,
    appendSystemPrompt: true,
    maxTurns: true,
    maxBudgetUsd: false,
    resume: true,
    mcpServers: true,
    effort: ["off", "low", "medium", "high", "max"],
  },
  traits: { isStreaming: true },
  /** The last line of its greeting. */
  logMark: /^ {4,}L L {2,}goose is ready$/,
  streamedText,
  /** Printed before a recipe is run. */
  stderrNoise: /^(?:Loading recipe|Description): /,
  harmlessArguments: [/^--provider=\w[\w.-]*$/],
  permissionVariables: ["GOOSE_MODE"],
  isolation,
  launch: launchGoose,
  createMapping: createGooseMapping,
  live: gooseLive,
};
