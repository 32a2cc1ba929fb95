import type { ToolTable } from "../shared/tool-table.js";

const file = ["AbsolutePath", "TargetFile", "File", "Path"];
const target = ["TargetFile", "AbsolutePath", "Path"];

/** Antigravity's tools that are operations. Any other tool (MCP, web, browser, …) is `unknown`. */
export const antigravityTools: ToolTable = {
  view_file: { as: "read", path: file, lines: { start: ["StartLine"], end: ["EndLine"] } },
  view_file_outline: { as: "read", path: file },
  view_code_item: { as: "read", path: file },
  write_to_file: { as: "write", path: target },
  replace_file_content: { as: "write", path: target },
  multi_replace_file_content: { as: "write", path: target },
  notebook_edit: { as: "write", path: target },
  run_command: { as: "shell", command: ["CommandLine", "command"], workingDirectory: ["Cwd"] },
  grep_search: {
    as: "search",
    query: ["Query", "SearchTerm", "Pattern"],
    path: ["SearchPath", "SearchDirectory"],
  },
  find_by_name: { as: "search", query: ["Pattern", "Query"], path: ["SearchDirectory", "SearchPath"] },
  codebase_search: { as: "search", query: ["Query"], path: [] },
  list_dir: { as: "list", path: ["DirectoryPath", "AbsolutePath", "Path"] },
};
