import type { Finished, OpenCall, Sink } from "../../contract.js";
import type { ToolTable } from "../tool-table.js";

/** What an agent with Claude Code's shape of stream adds to it. */
export interface Dialect {
  /** Tools that are operations. Any other tool is `unknown`. */
  tools: ToolTable;
  /** Tools that start a subagent. */
  subagentTools: ReadonlySet<string>;
  /** Tools that are neither an operation nor `unknown`. */
  silentTools: ReadonlySet<string>;
  /** An unknown tool gives one `unknown`, when its call ends. Left out: one for the call and one for its result. */
  isUnknownOnce?: true;
  /** Ends a call whose result says more, or less, than `is_error`. `how.native` is the `tool_result` block. */
  endCall?(call: OpenCall, how: Finished, out: Sink): void;
  /** Tools whose command always goes on in the background. */
  backgroundTools?: ReadonlySet<string>;
  /** Shells that stay in the directory that a command has changed to. Relative paths of all tools are below it. */
  keepsDirectory?: ReadonlySet<string>;
  /** Tools that move the agent to another directory, and the fields of their result that name it. */
  worktreeTools?: Readonly<Record<string, readonly string[]>>;
}
