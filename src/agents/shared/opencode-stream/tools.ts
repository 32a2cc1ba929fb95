import { offsetAndLimit, type ToolTable } from "../tool-table.js";

/**
 * OpenCode's tools that are operations; any other (web, todo, question, MCP, `invalid`, …) is `unknown`.
 * `list` and `multiedit` are of versions before 1.0; current ones list a directory with `read`. OpenCode 2 calls `bash` and
 * `apply_patch` `shell` and `patch`, and names a skill by its id.
 */
export const opencodeTools: ToolTable = {
  read: { as: "read", lines: offsetAndLimit },
  write: { as: "write" },
  edit: { as: "write" },
  multiedit: { as: "write" },
  apply_patch: { as: "patch" },
  patch: { as: "patch" },
  grep: { as: "search", query: ["pattern", "query"], path: ["path"] },
  glob: { as: "search", query: ["pattern", "query"], path: ["path"] },
  list: { as: "list", path: ["path"] },
  bash: { as: "shell", workingDirectory: ["workdir"] },
  shell: { as: "shell", workingDirectory: ["workdir"] },
  skill: { as: "skill", name: ["name", "skill", "id"] },
  /** Only a symbol search has a query; its file names the language server, not where it looks. */
  lsp: { as: "search", query: ["query", "symbol"], path: [] },
};
