import type { Mapping, TranslatorOptions } from "../contract.js";
import type { Dialect } from "../shared/claude-stream/dialect.js";
import { createClaudeStream } from "../shared/claude-stream/mapping.js";
import { readClaudePartial, readingPartials } from "../shared/claude-stream/quiet-partials.js";
import { claudeTodoTools } from "./todos.js";
import {
  backgroundTools,
  claudeTools,
  keepsDirectory,
  silentTools,
  subagentTools,
  worktreeTools,
} from "./tools.js";

/** What Claude Code adds to its own stream: its tools. */
export const claudeDialect: Dialect = {
  tools: claudeTools,
  subagentTools,
  silentTools,
  backgroundTools,
  keepsDirectory,
  worktreeTools,
};

/** Claude Code `--print --output-format stream-json --verbose` (recorded with 2.1.197 and 2.1.325). */
export function createClaudeMapping(options?: TranslatorOptions): Mapping {
  const stream = createClaudeStream(claudeDialect, options);
  return {
    ...stream,
    raw: readingPartials(readClaudePartial, stream.record),
    todoTools: claudeTodoTools,
  };
}
