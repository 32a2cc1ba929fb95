import type { Capabilities, Permissions } from "../agents/definition.js";
import type { HarnessEvent } from "../events/event.js";
import type { Failure } from "../events/failure.js";
import type { RawRecord } from "../events/raw-record.js";
import type { StopReason } from "../events/recording-meta.js";
import type { TokenCounts, UsageScope } from "../events/usage.js";
import type { SessionOutcome } from "../runs/archive/recording.js";
import type { CostSource } from "../story/run-summary.js";

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
  /** Whose figure the cost is. */
  costSource?: CostSource;
  files?: number;
  commands?: number;
  errors?: number;
  warnings?: number;
  /** What a run under way is doing. */
  latest?: string;
  /** Why a run under way is being stopped, if it is. */
  stopping?: StopReason;
  /** Started from this page, so that it can be cancelled from it. */
  isOurs?: boolean;
}

/** A recording whose sidecar cannot be read. */
export interface UnreadableRun {
  id: string;
  message: string;
}

/** `GET /api/runs`, and message `list` of `GET /api/live`: the newest runs, and how many there are. */
export interface RunList {
  runs: RunRow[];
  unreadable: UnreadableRun[];
  directory: string;
  /** All runs: those that are not in `runs` follow in messages `more`. */
  total: number;
  /** How many ended how, and of which agents they are, as far as is known. */
  outcomes: Partial<Record<SessionOutcome, number>>;
  agents: string[];
}

/** Message `more` of `GET /api/live`: older runs than those before. */
export interface MoreRuns {
  runs: RunRow[];
  /** These were the last. */
  isAll: boolean;
}

/** Message `change` of `GET /api/live`. */
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

export interface AgentHere {
  id: string;
  name: string;
  isInstalled: boolean;
  /** Why it cannot be run, and what to do about it. */
  problem?: string;
  capabilities: Capabilities;
  /** The model that it gets when none is named. Absent: its own choice. */
  model?: string;
  /** Names of models that it has ids for. */
  models: string[];
}

/** `GET /api/agents?cwd=DIRECTORY`: what a run there would begin with. */
export interface AgentsHere {
  agents: AgentHere[];
  /** The directory that was asked about, else where `harness view` was started. */
  cwd: string;
  /** What its configuration chooses. */
  agent?: string;
  permissions: Permissions;
  /** What of the directory's `harness.toml` is not in effect, since it is not trusted, and what to do about it. */
  notice?: string;
}

/** The answer to `POST /api/runs`. */
export interface StartedRun {
  id: string;
  /** What the user should know of it: a model's name that the agent has no id for. */
  warnings: string[];
}

/** `POST /api/runs`. What is left out is as the configuration of the directory has it. */
export interface NewRun {
  agent: string;
  prompt: string;
  cwd?: string | undefined;
  model?: string | undefined;
  permissions?: Permissions | undefined;
}

/** The body of every refusal. */
export interface Refusal {
  code: string;
  message: string;
}
