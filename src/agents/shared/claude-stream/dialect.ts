import type { ToolTable } from "../tool-table.js";

/** What an agent with Claude Code's shape of stream adds to it. */
export interface Dialect {
  /** Tools that are operations. Any other tool is `unknown`. */
  tools: ToolTable;
  /** Tools that start a subagent. */
  subagentTools: ReadonlySet<string>;
  /** Tools that are neither an operation nor `unknown`. */
  silentTools: ReadonlySet<string>;
}
