import type { Mapping, TranslatorOptions } from "../contract.js";
import { createClaudeStream } from "../shared/claude-stream/mapping.js";
import { claudeTools, silentTools, subagentTools } from "./tools.js";

/** Claude Code `--print --output-format stream-json --verbose` (recorded with 2.1.197 and 2.1.325). */
export function createClaudeMapping(options?: TranslatorOptions): Mapping {
  return createClaudeStream({ tools: claudeTools, subagentTools, silentTools }, options);
}
