import { opencodeTools } from "../shared/opencode-stream/tools.js";
import type { ToolTable } from "../shared/tool-table.js";

/** OpenCode's tools and Kilo's own. What else it adds (board, recall, cron, goal, …) is `unknown`. */
export const kiloTools: ToolTable = {
  ...opencodeTools,
  codesearch: { as: "search", query: ["query", "pattern"], path: ["path"] },
  semantic_search: { as: "search", query: ["query"], path: ["path"] },
  /** Only `action: "start"` has a command; to list, stop or read the log of one is not an operation. */
  background_process: { as: "shell", workingDirectory: ["workdir"], literal: true },
  notebook_read: { as: "read", path: ["path"] },
  notebook_edit: { as: "write", path: ["path"] },
};
