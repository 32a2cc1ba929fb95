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
  Skill: { as: "skill", name: ["skill", "skill_name", "command"] },
};

/** Calls that start a subagent; system records of the task say when it started and ended. */
export const subagentTools: ReadonlySet<string> = new Set(["Agent", "Task"]);

/** Delivers `--json-schema` output: neither an operation nor unknown. */
export const silentTools: ReadonlySet<string> = new Set(["StructuredOutput"]);
