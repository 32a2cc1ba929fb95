import type { AgentDefinition } from "../definition.js";
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
  },
  traits: { isStreaming: true },
  streamedText,
  /** Printed before a recipe is run. */
  stderrNoise: /^(?:Loading recipe|Description): /,
  harmlessArguments: [/^--provider=\w[\w.-]*$/],
  permissionVariables: ["GOOSE_MODE"],
  launch: launchGoose,
  createMapping: createGooseMapping,
  live: gooseLive,
};
