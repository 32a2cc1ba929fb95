import type { AgentDefinition } from "../definition.js";
import { launchCursor } from "./launch.js";
import { createCursorMapping } from "./mapping.js";
import { cursorStreamedText } from "./streamed-text.js";

export const cursor: AgentDefinition<"cursor"> = {
  id: "cursor",
  name: "Cursor",
  aliases: ["cursor-agent", "cursor-cli"],
  binaries: ["cursor-agent", "agent"],
  /** Nothing could be recorded: the program is closed and needs an account. */
  version: { args: ["--version"], recorded: [] },
  install: "curl https://cursor.com/install -fsS | bash",
  docs: "https://cursor.com/docs/cli",
  credentials: ["CURSOR_API_KEY"],
  capabilities: {
    model: true,
    readOnly: true,
    systemPrompt: false,
    appendSystemPrompt: false,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
  },
  traits: { isStreaming: true },
  streamedText: cursorStreamedText,
  launch: launchCursor,
  createMapping: createCursorMapping,
};
