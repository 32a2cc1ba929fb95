import type { OutputDefinition } from "../contract.js";
import { createJsonLines } from "../json-lines.js";

export const claudeOutput = {
  name: "claude",
  summary: "the stream-json of Claude Code, whichever agent ran, one JSON object per line",
  isForPeople: false,
  schema: async () => (await import("./schema.js")).ClaudeRecord,
  open: async (options) => createJsonLines((await import("./format.js")).claudeFormat.create(options)),
} as const satisfies OutputDefinition;
