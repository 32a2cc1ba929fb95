import type { Permissions } from "../../agents/definition.js";
import type { OutputName } from "../../outputs/registry.js";

/** The options of `harness run`, as they were given. */
export interface RunFlags {
  agent?: string;
  prompt?: string;
  promptFile?: string;
  model?: string;
  permissions?: Permissions;
  format: OutputName;
  thinking?: boolean;
  quiet?: boolean;
  cwd?: string;
  timeout?: number;
  idleTimeout?: number;
  systemPrompt?: string;
  appendSystemPrompt?: string;
  maxTurns?: number;
  maxBudgetUsd?: number;
  resume?: string;
  binary?: string;
  extraArgs?: string;
  env?: string[];
  outputFile?: string;
  record?: string;
  redact?: boolean;
  log: boolean;
  dryRun?: boolean;
  trust?: boolean;
}
