import { offsetAndLimit, type ToolTable } from "../shared/tool-table.js";

/** Grok's tools that are operations. Any other tool (MCP, todo, tasks, media, …) is `unknown`. */
export const grokTools: ToolTable = {
  read_file: { as: "read", path: ["target_file"], lines: offsetAndLimit },
  write: { as: "write", path: ["file_path"] },
  search_replace: { as: "write", path: ["file_path"] },
  grep: { as: "search", query: ["pattern"], path: ["path"] },
  list_dir: { as: "list", path: ["target_directory"] },
  run_terminal_command: { as: "shell", command: ["command"] },
  monitor: { as: "shell", command: ["command"], literal: true },
};

/** Runs a command in the background and shows the model every line that it prints. No record says how the command ends. */
export const monitorTool = "monitor";

/** Runs a subagent, which `subagents.ts` follows. */
export const spawnTool = "spawn_subagent";
