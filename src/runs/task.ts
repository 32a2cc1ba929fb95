import type { AgentDefinition, McpServer, PermissionMode } from "../agents/definition.js";
import type { AgentId } from "../agents/registry.js";
import type { HarnessEvent } from "../events/event.js";
import type { ExitReason, Failure } from "../events/failure.js";
import type { ModelPrice } from "../events/price.js";
import type { BatchOfRun, StopReason } from "../events/recording-meta.js";
import type { Step } from "../events/step.js";
import type { TokenCounts, UsageScope } from "../events/usage.js";
import type { PermissionRules } from "../live/rules/rule.js";
import type { ChangedFiles } from "../story/run-summary.js";
import type { JsonObject, JsonValue } from "../text/json.js";

/** What an agent is to do, and how. */
export interface Task {
  /** A built-in agent's id or alias, or a definition of your own. */
  agent: AgentId | AgentDefinition;
  prompt: string;
  /** Where the agent works. Default: the current directory. */
  cwd?: string | undefined;
  model?: string | undefined;
  /** Default `full-access`. Rules and `ask` need an agent that can ask. */
  permissions?: PermissionMode | PermissionRules | undefined;
  systemPrompt?: string | undefined;
  appendSystemPrompt?: string | undefined;
  maxTurns?: number | undefined;
  maxBudgetUsd?: number | undefined;
  /** The id of the agent's own session to resume. */
  resume?: string | undefined;
  /**
   * The agent gets a fresh home: nothing of your settings, skills, servers and memory reaches it, but your credentials do. An agent
   * that cannot be isolated is refused.
   */
  isolated?: boolean | undefined;
  /** With `isolated`: a directory whose content is copied into the fresh home, such as the settings to test with. */
  home?: string | undefined;
  /** Servers of the Model Context Protocol, by name. */
  mcpServers?: Readonly<Record<string, McpServer>> | undefined;
  /** How hard the model is to think, as the agent calls it. `harness check` lists the levels. */
  effort?: string | undefined;
  /** The agent gets these tools and no others, by the agent's own names. */
  allowedTools?: readonly string[] | undefined;
  /** A JSON Schema. The answer must fit it (`result.output`), or the run fails with `schema`. */
  schema?: JsonObject | undefined;
  /** Passed through to the agent as they are. */
  extraArgs?: readonly string[] | undefined;
  /** Added to the agent's environment. Values are never recorded. */
  env?: Readonly<Record<string, string>> | undefined;
  /** The agent's program: a path, seen from `cwd`, or a name to look for on PATH. */
  binary?: string | undefined;
  /** The run is stopped after this long. */
  timeoutMs?: number | undefined;
  /** The run is stopped after this long without any output. */
  idleTimeoutMs?: number | undefined;
  /** Cancels the run. */
  signal?: AbortSignal | undefined;
  /** How long the agent may linger after its final message before it is stopped. Default 10 s. */
  graceMs?: number | undefined;
  /** A warning follows after this long without output. Default 2 minutes, 30 for agents that print only at the end. */
  silenceMs?: number | undefined;
  /** Longer lines are cut to this size. Default 64 MiB. */
  maxLineBytes?: number | undefined;
  /**
   * Masks keys, passwords, and the values of variables whose names look like secrets, in all events
   * and recordings. The agent itself gets everything unmasked. Lines may arrive a little later.
   */
  redact?: boolean | undefined;
  /** False: the run is not recorded. */
  log?: boolean | undefined;
  /** Another directory for `raw.jsonl` and `events.jsonl`. Files of these names in it are replaced. */
  recordTo?: string | undefined;
  /** Where recordings are kept. Default: the user's data directory. */
  sessionsDirectory?: string | undefined;
  /** False: what the run changes in a git workspace is not compared. Default: it is, in `result.changes` and `changes.patch`. */
  changes?: boolean | undefined;
  /** The batch that the run belongs to. It is noted in the recording. */
  batch?: BatchOfRun | undefined;
  /** Nothing real is run, as in `harness demo`: the recording is marked, and statistics leave it out. */
  isDemo?: boolean | undefined;
  /** Letters, digits, `.`, `_` and `-`; unique. Default: the time and a random part. */
  runId?: string | undefined;
  /** The agent's version, if it is known. It is never asked for before a run. */
  agentVersion?: string | undefined;
  /**
   * What models cost, for agents that report no cost: it is estimated then, and labelled so. Default: the
   * prices that are built in.
   */
  findPrice?: ((model: string) => ModelPrice | undefined) | undefined;
}

/** A run under way. */
export interface Run extends AsyncIterable<HarnessEvent> {
  readonly runId: string;
  /** Undefined when the agent could not be started. */
  readonly pid: number | undefined;
  /** Resolves always and never rejects, whether anybody iterates or not. */
  readonly result: Promise<RunResult>;
  /** What the agent was asked, as it is recorded. */
  readonly prompt: string;
  /** Where the recording is (its `.ndjson`), unless the run is not recorded. */
  readonly recording: string | undefined;
  /**
   * The same as iterating the run, with the native line of each group of events, in arrays as they came.
   * A run can be iterated once, this way or the other. Whoever iterates slowly slows the agent.
   */
  batches(): AsyncIterable<readonly Step[]>;
  /** Why the run is being stopped, from the moment that this was asked for or a limit was reached. */
  readonly stopping: StopReason | undefined;
  /** Stops the agent, then its tools; what is left after 2 s is killed. Of a run that is being stopped already, kills all at once. */
  cancel(): void;
}

/** How a run ended. */
export interface RunResult {
  runId: string;
  isSuccess: boolean;
  reason: ExitReason;
  /** The agent's answer. */
  text?: string;
  /** The value that fits the task's `schema`. */
  output?: JsonValue;
  failure?: Failure;
  usage?: TokenCounts & { scope: UsageScope };
  costUsd?: number;
  /** Only when the cost is not the agent's own figure. */
  costSource?: "estimated";
  durationMs?: number;
  /** What the run changed. */
  changes?: ChangedFiles;
  /** The agent's own session id. */
  sessionId?: string;
  /** Null when it was killed by a signal or never started. */
  exitCode: number | null;
  signal?: string;
  /** The recording's `.ndjson`, when all of it could be written. */
  recording?: string;
  /** Why the run, or a part of it, could not be recorded: a sentence for each place. */
  recordingProblems?: string[];
}
