import { offsetAndLimit, type ToolTable } from "../shared/tool-table.js";

/** Claude Code's tools that are operations. Any other tool (MCP, web, todo, …) is `unknown`. */
export const claudeTools: ToolTable = {
  Read: { as: "read", lines: offsetAndLimit },
  Write: { as: "write" },
  Edit: { as: "write" },
  MultiEdit: { as: "write" },
  NotebookEdit: { as: "write", path: ["notebook_path", "file_path", "path"] },
  Grep: { as: "search", query: ["pattern", "query"], path: ["path"] },
  Glob: { as: "search", query: ["pattern", "glob"], path: ["path"] },
  LS: { as: "list", path: ["path"] },
  Bash: { as: "shell", command: ["command", "cmd"] },
  Monitor: { as: "shell", literal: true },
  Skill: { as: "skill", name: ["skill", "skill_name", "command"] },
};

/** Calls that start a subagent. The `system` records of its task say when it starts and ends. */
export const subagentTools: ReadonlySet<string> = new Set(["Agent", "Task"]);

/** Tools that deliver `--json-schema` output. They are neither an operation nor `unknown`. */
export const silentTools: ReadonlySet<string> = new Set(["StructuredOutput"]);

/** Tools whose command goes on in the background. No record says how it ends. */
export const backgroundTools: ReadonlySet<string> = new Set(["Monitor"]);

/** Each command runs in a shell of its own, which starts where the one before it has ended. */
export const keepsDirectory: ReadonlySet<string> = new Set(["Bash"]);

export const worktreeTools: Readonly<Record<string, readonly string[]>> = {
  EnterWorktree: ["worktreePath"],
  ExitWorktree: ["restoredCwd", "originalCwd"],
};
