import type { FileChange, WorkspaceChanges } from "../events/changes.js";
import type { EventOf, EventType } from "../events/event.js";
import type { ExitReason, Failure } from "../events/failure.js";
import type { PlanEntry, TurnReason } from "../events/live-event.js";
import type { TokenCounts, UsageScope } from "../events/usage.js";
import type { JsonValue } from "../text/json.js";

/** What a run did, what it took and how it ended. What the events did not report is absent. */
export interface RunSummary {
  runId?: string;
  agent?: string;
  agentVersion?: string;
  model?: string;
  /** The agent's own session id. */
  sessionId?: string;
  cwd?: string;
  startedAt?: string;
  /** Time of the latest event. */
  endedAt?: string;
  outcome?: ReportedEnd;
  failure?: Failure;
  /** The answer: the agent's result, else the last message of the main agent. */
  text?: string;
  /** The value that fits the schema which the run was given. */
  output?: JsonValue;
  /** In the order of the first access; failed accesses are left out. */
  filesRead: FileCount[];
  filesWritten: FileCount[];
  /** In order, each as often as it was run. Commands that were denied are left out. */
  commands: CommandRun[];
  tools: ToolCount[];
  subagents: number;
  errors: Report[];
  warnings: Report[];
  /** How many records no rule understood. */
  unknown: number;
  usage?: TokenCounts & { scope: UsageScope };
  costUsd?: number;
  /** Who computed the cost. */
  costSource?: CostSource;
  /** As the agent reports it, else as it was observed. */
  durationMs?: number;
  /** In a live session: its turns. */
  turns?: TurnSummary[];
  /** What the agent asked, in order. */
  requests?: RequestSummary[];
  /** The main agent's to-do list, as it was last. */
  plan?: PlanEntry[];
  /** What the run changed. Absent while that is not known. */
  changes?: ChangedFiles;
}

/** Which files a run changed, and by how many lines. */
export interface ChangedFiles
  extends Partial<Pick<WorkspaceChanges, "root" | "commit" | "moreFiles" | "isCut">> {
  /** `git`: the files at the end, compared with those at the start. `edits`: only what the agent's edits said. */
  source: "git" | "edits";
  /** Paths are relative to `root`, if there is one. */
  files: FileChange[];
  insertions: number;
  deletions: number;
}

/** A turn of a live session. */
export interface TurnSummary {
  turnId: string;
  origin: EventOf<"turn">["origin"];
  prompt?: string;
  /** Absent while it is running. */
  outcome?: { isSuccess: boolean; reason: TurnReason };
  text?: string;
  failure?: Failure;
  usage?: TokenCounts;
  costUsd?: number;
  costSource?: CostSource;
  durationMs?: number;
}

/** What the agent asked, and how that ended. */
export interface RequestSummary
  extends Pick<EventOf<"request">, "requestId" | "kind" | "name" | "operations" | "message" | "questions">,
    Partial<Pick<EventOf<"request_end">, "outcome" | "by" | "rule">> {
  turnId?: string;
  /** The reason that was given with a denial. */
  reason?: string;
}

export interface ReportedEnd {
  isSuccess: boolean;
  reason: ExitReason;
  /** Null if a signal killed it or it never started. */
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

/** An event with the fields that a summary reads: one of the full vocabulary, or a normalized one. */
export type SummaryEvent = {
  [T in EventType]: Omit<EventOf<T>, "runId" | "seq"> & { runId?: string };
}[EventType];
export type SummaryEventOf<T extends EventType> = Extract<SummaryEvent, { type: T }>;
