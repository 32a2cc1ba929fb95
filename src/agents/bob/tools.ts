import type { ToolTable } from "../shared/tool-table.js";

const path = ["path", "file_path"];
const lines = { start: ["start_line", "offset"], count: ["limit"], end: ["end_line"] };

/** Tools of Bob 1.x and 2.x that are operations. Any other tool (MCP, modes, questions, …) is `unknown`. */
export const bobTools: ToolTable = {
  read_file: { as: "read", path, lines },
  write_file: { as: "write", path },
  write_to_file: { as: "write", path },
  apply_diff: { as: "write", path },
  insert_content: { as: "write", path },
  search_and_replace: { as: "write", path },
  search_files: { as: "search", query: ["regex", "pattern", "query"], path: ["path", "dir_path"] },
  list_files: { as: "list", path: ["path", "dir_path"] },
  execute_command: { as: "shell", command: ["command"], workingDirectory: ["cwd", "working_directory"] },
  use_skill: { as: "skill", name: ["skill_name", "skill", "name"] },
};

/** Only in 2.x. The subagent's own work is not in the stream. */
export const bobSubagentTools = { spawn_subagent: ["name", "agent", "subagent_type"] };
