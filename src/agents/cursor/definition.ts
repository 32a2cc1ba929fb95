import type { AgentDefinition } from "../definition.js";
import { launchCursor } from "./launch.js";
import { createCursorMapping } from "./mapping.js";

export const cursor: AgentDefinition<"cursor"> = {
  id: "cursor",
  name: "Cursor",
  aliases: ["cursor-agent", "cursor-cli"],
  binaries: ["cursor-agent", "agent"],
  /** No runs were recorded: the program is closed source and needs an account. */
  version: { args: ["--version"], recorded: [] },
  install: "curl https://cursor.com/install -fsS | bash",
  docs: "https://cursor.com/docs/cli",
  credentials: ["CURSOR_API_KEY"],
  signIn: "`cursor-agent login`",
  capabilities: {
    model: true,
    readOnly: true,
    systemPrompt: false,
    appendSystemPrompt: false,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
  },
  /** There is no `isolation`: `CURSOR_CONFIG_DIR` moves its settings, but neither servers nor rules, and where it keeps its sign-in is not documented. */
  traits: { isStreaming: true },
  /** The order of its keys. */
  logMark: /^\{"type":"system","subtype":"init","apiKeySource":"[^"]*","cwd":/,
  /** `--stream-partial-output` prints pieces, and then the whole message again. */
  streamedText: {
    pieces: [
      {
        when: { type: "assistant", timestamp_ms: "*", model_call_id: null },
        text: ["message.content.*.text"],
      },
      { when: { type: "thinking", subtype: "delta" }, text: ["text"] },
    ],
  },
  launch: launchCursor,
  createMapping: createCursorMapping,
};
