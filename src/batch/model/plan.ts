import type { McpServer, PermissionMode } from "../../agents/definition.js";
import type { AgentId } from "../../agents/registry.js";
import type { PermissionRules } from "../../live/rules/rule.js";
import type { JsonObject } from "../../text/json.js";

/** Many runs: every arm does every task, a number of times. */
export interface BatchPlan {
  name: string;
  tasks: readonly BatchTask[];
  arms: readonly Arm[];
  /** How often each arm does each task. Default 1. */
  repeats?: number | undefined;
  /** How many runs at once, in all. Default 4, or fewer on a machine with fewer cores. */
  concurrency?: number | undefined;
  /** How many runs of one agent at once, by its name. */
  limits?: Readonly<Record<string, number>> | undefined;
  /** No run is started if the sum would exceed this: what was spent, and estimates of what is under way and of the new run. */
  budgetUsd?: number | undefined;
  /** The limit of each run. A task may have its own. */
  timeoutMs?: number | undefined;
  idleTimeoutMs?: number | undefined;
  /** How often a cell is tried again after a temporary failure. Default 3. */
  retries?: number | undefined;
  /** False: the agents use your own home. Default true: each run has a fresh one. */
  isolated?: boolean | undefined;
  /** Masks secrets in the recordings. */
  redact?: boolean | undefined;
}

/** What is to be done, and how it is checked. */
export interface BatchTask {
  /** Unique. Letters, digits, `.`, `_` and `-`. */
  id: string;
  prompt: string;
  /** Where each run begins. Default: an empty directory. */
  workspace?: Workspace | undefined;
  /** A shell command before the agent. If it fails, the agent is not started and the cell counts for nobody. */
  setup?: string | undefined;
  setupTimeoutMs?: number | undefined;
  /** A shell command after the agent: exit code 0 passes. Without it, the agent's own success passes. */
  check?: string | undefined;
  checkTimeoutMs?: number | undefined;
  /** A JSON Schema that the answer must fit. */
  schema?: JsonObject | undefined;
  timeoutMs?: number | undefined;
}

/** A directory per run: a checkout of a commit, a copy, or an empty one. Paths are absolute, or relative to the current directory. */
export type Workspace = { git: string; ref?: string | undefined } | { copy: string } | { empty: true };

/** Who does it: an agent with its options. */
export interface Arm {
  /** Unique. Default: the agent, and its model if one is named. */
  id?: string | undefined;
  agent: AgentId;
  model?: string | undefined;
  permissions?: PermissionMode | PermissionRules | undefined;
  systemPrompt?: string | undefined;
  appendSystemPrompt?: string | undefined;
  maxTurns?: number | undefined;
  maxBudgetUsd?: number | undefined;
  mcpServers?: Readonly<Record<string, McpServer>> | undefined;
  effort?: string | undefined;
  allowedTools?: readonly string[] | undefined;
  extraArgs?: readonly string[] | undefined;
  /** Values are kept in the ledger, which only you can read. Keys belong into your own environment instead. */
  env?: Readonly<Record<string, string>> | undefined;
  binary?: string | undefined;
  /** A directory whose content is copied into each fresh home. */
  home?: string | undefined;
}

/** A plan that was checked: defaults are filled in, paths are absolute. */
export interface CheckedPlan extends BatchPlan {
  repeats: number;
  concurrency: number;
  limits: Readonly<Record<string, number>>;
  retries: number;
  isolated: boolean;
  tasks: readonly CheckedTask[];
  arms: readonly CheckedArm[];
}
export type CheckedTask = BatchTask & { workspace: Workspace };
export type CheckedArm = Arm & { id: string };
