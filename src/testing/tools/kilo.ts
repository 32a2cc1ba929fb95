import { opencode } from "./opencode.js";
import type { ToolTable } from "./tool-table.js";

/** Kilo Code, a fork of OpenCode with the same tools and more (7.7.9). It does not request titles. */
export const kilo: ToolTable = {
  ...opencode,
  agent: "kilo",
  tools: [
    ...opencode.tools,
    "background_process",
    "kilo_local_recall",
    "board_post",
    "board_read",
    "schedule_wakeup",
  ],
};
