import type { Capabilities, PermissionMode, Permissions } from "../agents/definition.js";
import type { Abilities } from "../agents/live-contract.js";
import type { HarnessEvent } from "../events/event.js";
import type { Failure } from "../events/failure.js";
import type { RawRecord } from "../events/raw-record.js";
import type { BatchOfRun, RecordingMeta, StopReason } from "../events/recording-meta.js";
import type { TokenCounts, UsageScope } from "../events/usage.js";
import type { RunOutcome } from "../story/run-record.js";
import type { CostSource } from "../story/run-summary.js";

/** The messages between the server and the page. Types only, because both sides import this file. */

/** One run in the list. Fields that are not known (yet) are absent. */
export interface RunRow {
  id: string;
  outcome: RunOutcome;
  agent: string;
  agentVersion?: string;
  model?: string;
  /** The beginning of the prompt, if it is long. */
  prompt: string;
  cwd: string;
  startedAt: string;
  endedAt?: string;
  failure?: Failure;
  usage?: TokenCounts & { scope: UsageScope };
  /** Tokens used so far, while the run's own totals are not known. */
  tokens?: number;
  costUsd?: number;
  /** Who the cost comes from. */
  costSource?: CostSource;
  /** How many files it changed, and by how many lines, as far as that is known. */
  files?: number;
  insertions?: number;
  deletions?: number;
  commands?: number;
  errors?: number;
  warnings?: number;
  /** What the run is doing right now. */
  latest?: string;
  /** Why the run is being stopped, if it is. */
  stopping?: StopReason;
  /** True: the run was started from this page and can be cancelled from it. */
  isOurs?: boolean;
  /** True: a live session, under way or over. */
  isLive?: boolean;
  /** True: prompts and answers can be given on the page, whoever started the session. */
  isAnswerable?: boolean;
  /** How many requests of the agent wait for an answer. */
  requests?: number;
  /** True: played by `harness demo`. Nothing was run, and nothing was paid. */
  isDemo?: true;
  /** True: made from a log by `harness sessions import`. */
  isImported?: true;
  /** The batch that the run belongs to. */
  batch?: BatchOfRun;
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
  /** The number of all runs. Those that are not in `runs` follow in messages `more`. */
  total: number;
  /** How many of them are runs of batches. They are not in `outcomes`. */
  ofBatches: number;
  /** How many runs have each outcome, as far as is known. */
  outcomes: Partial<Record<RunOutcome, number>>;
  /** The agents of the runs, as far as is known. */
  agents: string[];
}

/** Message `more` of `GET /api/live`: the next older runs. */
export interface MoreRuns {
  runs: RunRow[];
  /** True: no older runs follow. */
  isAll: boolean;
}

/** Message `change` of `GET /api/live`. */
export interface RunsChange {
  changed: RunRow[];
  removed: string[];
  unreadable?: UnreadableRun[];
}

/** Message `about` of a run's stream: sent first, and again when the run has ended. */
export interface RunAbout {
  row: RunRow;
  prompt: string;
  argv: string[];
  permissions: string;
  sessionId?: string;
  /** What the run changed. `GET /api/runs/ID/changes` returns the patch, if the source is git. */
  changes?: NonNullable<RecordingMeta["changes"]>;
  /** Why the recording stops before the run did. */
  problem?: string;
  /** True: the agent's definition is not known here, so its output is read like that of any program. */
  isUnknownAgent?: boolean;
}

/** Message `steps` of a run's stream. */
export interface StepsMessage {
  events: HarnessEvent[];
  /** The `seq` of events whose contents were cut. `GET /api/runs/ID/events/SEQ` returns the whole event. */
  cut: number[];
  /** Raw lines that gave no events, with the rule that consumed them. */
  consumed: [line: number, rule: string][];
  /** The number of raw lines so far. */
  lines: number;
}

/**
 * Message `session` of a run's stream, whenever it changes, and `GET /api/runs/ID/session`: what a live session does and takes
 * right now. The open requests are events of the run; here are their ids.
 */
export interface SessionHere {
  can: Abilities;
  /** True while a turn runs. */
  isBusy: boolean;
  /** The prompts that wait for their turn, shortened if they are long. */
  queue: { turnId: string; prompt: string }[];
  /** The ids of the requests that wait for an answer. */
  requests: string[];
  model?: string;
}

/** `GET /api/waiting`: how many requests of live sessions wait for an answer. For a page in the background. */
export interface WaitingRequests {
  waiting: number;
}

/** One line of `raw.jsonl` as it is shown. */
export interface RawLine {
  line: number;
  /** Where it came from. `sent` is what harness sent to the agent; all others go the other way, or are about the processes. */
  stream: RawRecord["stream"] | "damaged";
  timestamp?: string;
  /** The beginning of the line, if it is long. */
  text: string;
  /** Size of the record on disk, in bytes. */
  size: number;
  isCut: boolean;
  /** True: the line is not valid UTF-8, and was decoded as well as possible. */
  isBinary?: boolean;
}

/** `GET /api/runs/ID/raw`. */
export interface RawLines {
  total: number;
  lines: RawLine[];
}

/** `GET /api/runs/ID/raw-search?text=TEXT&from=LINE`: the first line from there on that has the text, if there is one. */
export interface RawFound {
  line?: number;
}

export interface AgentHere {
  id: string;
  name: string;
  isInstalled: boolean;
  /** Why the agent cannot be run, and what to do about it. */
  problem?: string;
  /** One command that installs it. */
  install: string;
  capabilities: Capabilities;
  /** What a live session with it can do. Absent: there can be none. */
  live?: Pick<Abilities, "ask">;
  /** The model for runs that name none. Absent: the agent chooses. */
  model?: string;
  /** Names of models that the agent has ids for. */
  models: string[];
}

/** `GET /api/agents?cwd=DIRECTORY`: the agents and defaults for a run in that directory. */
export interface AgentsHere {
  agents: AgentHere[];
  /** The requested directory. Default: where `harness view` was started. */
  cwd: string;
  /** The agent that the directory's configuration chooses. */
  agent?: string;
  permissions: Permissions;
  /** What the configuration says about live sessions. Absent: nothing. */
  livePermissions?: PermissionMode | "rules";
  /** Which settings of the directory's untrusted `harness.toml` are ignored, and what to do about it. */
  notice?: string;
}

/** The answer to `POST /api/runs`. */
export interface StartedRun {
  id: string;
  /** What the user should know, such as that the agent has no id for the named model. */
  warnings: string[];
}

/** `POST /api/runs`. Fields that are left out get their value from the directory's configuration. */
export interface NewRun {
  agent: string;
  prompt: string;
  cwd?: string | undefined;
  model?: string | undefined;
  permissions?: Permissions | undefined;
  /** The id of a recording whose session goes on. Its directory is the default of `cwd`. */
  resume?: string | undefined;
}

/** `POST /api/sessions`: a live session that begins with this prompt. It is answered with a `StartedRun`. */
export interface NewSession extends Omit<NewRun, "permissions"> {
  /** Left out: what the configuration says, with its rules; else `ask`, where the agent can ask. */
  permissions?: PermissionMode | undefined;
}

/** The body of every error response. */
export interface Refusal {
  code: string;
  message: string;
}
