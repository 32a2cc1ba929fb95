import type { Capabilities } from "../agents/definition.js";
import type { SessionOutcome } from "../sessions/session.js";
import type { HarnessEvent } from "../vocabulary/event.js";
import type { Failure } from "../vocabulary/failure.js";
import type { RawRecord } from "../vocabulary/raw-record.js";
import type { TokenCounts, UsageScope } from "../vocabulary/usage.js";

/** What the server and the page say to each other. Types only: both sides import it. */

/** One run in the list. What is not known (yet) is absent. */
export interface RunRow {
  id: string;
  outcome: SessionOutcome;
  agent: string;
  agentVersion?: string;
  model?: string;
  /** Its beginning, when it is long. */
  prompt: string;
  cwd: string;
  startedAt: string;
  endedAt?: string;
  failure?: Failure;
  usage?: TokenCounts & { scope: UsageScope };
  /** Used so far, when the run's own numbers have not come. */
  tokens?: number;
  costUsd?: number;
  files?: number;
  commands?: number;
  errors?: number;
  warnings?: number;
  /** What a run under way is doing. */
  latest?: string;
  /** Started from this page, so that it can be cancelled from it. */
  isOurs?: boolean;
}

/** A recording whose sidecar cannot be read. */
export interface UnreadableRun {
  id: string;
  message: string;
}

/** `GET /api/runs`, and the first message of `GET /api/live`. */
export interface RunList {
  runs: RunRow[];
  unreadable: UnreadableRun[];
  directory: string;
}

/** The later messages of `GET /api/live`. */
export interface RunsChange {
  changed: RunRow[];
  removed: string[];
  unreadable?: UnreadableRun[];
}

/** Message `about` of a run's stream: first, and when the run has ended. */
export interface RunAbout {
  row: RunRow;
  prompt: string;
  argv: string[];
  permissions: string;
  sessionId?: string;
  /** Why the recording stops before the run did. */
  problem?: string;
  /** The agent's definition is not known here: its output is read as any program's. */
  isUnknownAgent?: boolean;
}

/** Message `steps` of a run's stream. */
export interface StepsMessage {
  events: HarnessEvent[];
  /** Numbers of events whose contents were cut; `GET /api/runs/ID/events/SEQ` has the whole. */
  cut: number[];
  /** Raw lines that gave no events, with the rule that consumed them. */
  consumed: [line: number, rule: string][];
  /** How many raw lines there are so far. */
  lines: number;
}

/** One line of `raw.jsonl` as it is shown. */
export interface RawLine {
  line: number;
  stream: RawRecord["stream"] | "damaged";
  timestamp?: string;
  /** Its beginning, when it is long. */
  text: string;
  /** Bytes of the record on disk. */
  size: number;
  isCut: boolean;
  /** It was not valid UTF-8: what is shown was decoded as well as it can be. */
  isBinary?: boolean;
}

/** `GET /api/runs/ID/raw`. */
export interface RawLines {
  total: number;
  lines: RawLine[];
}

/** `GET /api/agents`. */
export interface AgentHere {
  id: string;
  name: string;
  isInstalled: boolean;
  /** Why it cannot be run, and what to do about it. */
  problem?: string;
  capabilities: Capabilities;
}

export interface AgentsHere {
  agents: AgentHere[];
  /** Where `harness view` was started. */
  cwd: string;
}

/** `POST /api/runs`. */
export interface NewRun {
  agent: string;
  prompt: string;
  cwd?: string | undefined;
  model?: string | undefined;
  permissions?: "full-access" | "read-only" | undefined;
}

/** The body of every refusal. */
export interface Refusal {
  code: string;
  message: string;
}
