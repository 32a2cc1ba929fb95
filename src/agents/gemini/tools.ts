import type { ToolTable } from "../shared/tool-table.js";

/** Gemini CLI's tools that are operations. Any other tool (MCP, web, todo, topic, …) is `unknown`. */
export const geminiTools: ToolTable = {
  read_file: {
    as: "read",
    path: ["file_path", "absolute_path"],
    lines: { start: ["start_line"], end: ["end_line"] },
  },
  write_file: { as: "write", path: ["file_path"] },
  replace: { as: "write", path: ["file_path"] },
  grep_search: { as: "search", query: ["pattern"], path: ["dir_path", "path"] },
  search_file_content: { as: "search", query: ["pattern"], path: ["dir_path", "path"] },
  glob: { as: "search", query: ["pattern"], path: ["dir_path", "path"] },
  list_directory: { as: "list", path: ["dir_path", "path"] },
  run_shell_command: { as: "shell", command: ["command"], workingDirectory: ["dir_path", "directory"] },
  activate_skill: { as: "skill", name: ["name"] },
};

/** Only the call and its end are in the stream; what the subagent does is not. */
export const geminiSubagentTools = { invoke_agent: ["agent_name"] };
