import { claude } from "./claude.js";
import { cline } from "./cline.js";
import { codex } from "./codex.js";
import { copilot } from "./copilot.js";
import { droid } from "./droid.js";
import { gemini } from "./gemini.js";
import { goose } from "./goose.js";
import { grok } from "./grok.js";
import { kilo } from "./kilo.js";
import { kimi } from "./kimi.js";
import { opencode } from "./opencode.js";
import { pi } from "./pi.js";
import { qwen } from "./qwen.js";
import type { ToolTable } from "./tool-table.js";

/** The agents that the scripted model knows. If two fit a request equally well, the first one is used. */
export const toolTables: readonly ToolTable[] = [
  claude,
  codex,
  pi,
  opencode,
  kilo,
  cline,
  goose,
  gemini,
  qwen,
  copilot,
  grok,
  droid,
  kimi,
];

export function requireToolTable(agent: string): ToolTable {
  const table = toolTables.find((one) => one.agent === agent);
  if (table !== undefined) return table;
  throw new Error(
    `No tool table for "${agent}"; the known agents are ${toolTables.map((one) => one.agent).join(", ")}.`,
  );
}
