import { opencodeTools } from "../shared/opencode-stream/tools.js";
import type { ToolTable } from "../shared/tool-table.js";

/** OpenCode's tools and Kilo's own. Its other tools (board, recall, cron, goal, …) are `unknown`. */
export const kiloTools: ToolTable = {
  ...opencodeTools,
  codesearch: { as: "search", query: ["query", "pattern"], path: ["path"] },
  semantic_search: { as: "search", query: ["query"], path: ["path"] },
  /** Only `action: "start"` has a command. Listing, stopping and reading the log are not operations. */
  background_process: { as: "shell", workingDirectory: ["workdir"], literal: true },
  interactive_terminal: { as: "shell", workingDirectory: ["workdir"] },
  generate_image: { as: "write", path: ["path"] },
  notebook_read: { as: "read", path: ["path"] },
  notebook_edit: { as: "write", path: ["path"] },
};
