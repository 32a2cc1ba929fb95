import type { ToolTable } from "../shared/tool-table.js";

/** Qwen Code's tools that are operations. Any other tool (MCP, web, todo, plan, …) is `unknown`. */
export const qwenTools: ToolTable = {
  read_file: {
    as: "read",
    path: ["file_path", "absolute_path"],
    lines: { start: ["offset"], count: ["limit"], isZeroBased: true },
  },
  write_file: { as: "write", path: ["file_path"] },
  edit: { as: "write", path: ["file_path"] },
  notebook_edit: { as: "write", path: ["notebook_path"] },
  grep_search: { as: "search", query: ["pattern"], path: ["path"] },
  glob: { as: "search", query: ["pattern"], path: ["path"] },
  list_directory: { as: "list", path: ["path"] },
  run_shell_command: { as: "shell", command: ["command"], workingDirectory: ["directory"] },
  /** Runs a command and reports what it prints while the agent goes on. */
  monitor: { as: "shell", command: ["command"], workingDirectory: ["directory"], literal: true },
  skill: { as: "skill", name: ["skill"] },
};

/** Runs a subagent, which `subagents.ts` follows. */
export const subagentTool = "agent";

/** `structured_output` delivers the answer of `--json-schema`, which the result repeats. */
export const quietTools: ReadonlySet<string> = new Set([subagentTool, "structured_output"]);
