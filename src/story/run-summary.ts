import type { EventOf, EventType } from "../events/event.js";
import type { ExitReason, Failure } from "../events/failure.js";
import type { TokenCounts, UsageScope } from "../events/usage.js";

/** What a run did, what it took and how it ended. Whatever the events did not tell is absent. */
export interface RunSummary {
  runId?: string;
  agent?: string;
  agentVersion?: string;
  model?: string;
  /** The agent's own. */
  sessionId?: string;
  cwd?: string;
  startedAt?: string;
  /** Time of the latest event. */
  endedAt?: string;
  outcome?: RunOutcome;
  failure?: Failure;
  /** The answer: the agent's result, else the last message of the main agent. */
  text?: string;
  /** In the order in which each was first touched; what failed is left out. */
  filesRead: FileCount[];
  filesWritten: FileCount[];
  /** In order, each as often as it was run. */
  commands: CommandRun[];
  tools: ToolCount[];
  subagents: number;
  errors: Report[];
  warnings: Report[];
  /** Records that no rule understood. */
  unknown: number;
  usage?: TokenCounts & { scope: UsageScope };
  costUsd?: number;
  /** Whose figure the cost is. */
  costSource?: CostSource;
  /** As the agent reports it, else as it was observed. */
  durationMs?: number;
}

export interface RunOutcome {
  isSuccess: boolean;
  reason: ExitReason;
  /** Null when it was killed by a signal or never started. */
  exitCode: number | null;
  signal?: string;
}

export interface FileCount {
  path: string;
  count: number;
}

export interface CommandRun {
  command: string;
  exitCode?: number;
  isSuccess?: boolean;
}

export interface ToolCount {
  name: string;
  calls: number;
  failures: number;
}

export interface Report {
  message: string;
  code?: string;
}

export type CostSource = "agent" | "estimated";

/** A command that did not succeed, by the agent's word or else by its exit code. */
export function hasFailed({ exitCode, isSuccess }: CommandRun): boolean {
  return isSuccess === undefined ? (exitCode ?? 0) !== 0 : !isSuccess;
}

/** An event as far as a summary looks at it: of the full vocabulary, or a normalized one. */
export type ToldEvent = {
  [T in EventType]: Omit<EventOf<T>, "runId" | "seq"> & { runId?: string };
}[EventType];
export type ToldEventOf<T extends EventType> = Extract<ToldEvent, { type: T }>;
