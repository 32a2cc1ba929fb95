import type { JsonObject } from "../text/json.js";
import type { EventType } from "./event.js";
import type { ExitReason, Failure } from "./failure.js";
import type { ModelPrice } from "./price.js";
import type { RunCheck } from "./run-check.js";
import type { TokenCounts, UsageScope } from "./usage.js";

/** The sidecar of a recording: what was asked for, and how it went. */
export interface RecordingMeta {
  runId: string;
  agent: string;
  /** The built-in agent whose output format this agent uses, if it is not built in itself. */
  translator?: string;
  /** The version that the stream reports, else the one known at the start. */
  agentVersion?: string;
  /** Known at the start; a replay starts with the same. */
  versionAtStart?: string;
  /** The session id or name that the agent was launched with; a replay starts with the same. */
  sessionAtStart?: string;
  /** The model that the agent reports, else the one asked for. */
  model?: string;
  cwd: string;
  prompt: string;
  /** The program and its arguments. */
  argv: string[];
  /** Variables that were set for the run. Names only: values are never recorded. */
  envNames: string[];
  permissions: string;
  /** The protocol of a live session; `process`: one process per turn. Absent for a one-shot run. */
  live?: string;
  resume?: string;
  /** The agent had a home of its own. Absent: it had the user's. */
  isIsolated?: true;
  /** The JSON Schema of the answer that was asked for; a replay checks the answer with it. */
  schema?: JsonObject;
  batch?: BatchOfRun;
  /** Played by `harness demo`: nothing was run, and nothing was paid. */
  isDemo?: true;
  /** Made from a log by `harness sessions import`: it was not run by this harness. */
  imported?: ImportedFrom;
  startedAt: string;
  endedAt?: string;
  outcome?: { isSuccess: boolean; reason: ExitReason; failure?: Failure };
  exitCode?: number | null;
  signal?: string;
  sessionId?: string;
  usage?: TokenCounts & { scope: UsageScope };
  costUsd?: number;
  /** Only set if the cost is not the agent's own figure. */
  costSource?: "estimated";
  /** The price that estimates the cost if the agent reports none; a replay uses the same. */
  price?: ModelPrice;
  /** In a live session: the price of each model whose tokens were estimated. */
  prices?: Readonly<Record<string, ModelPrice>>;
  durationMs?: number;
  /** What the run changed. The list is the last `changes` event, the patch is `changes.patch`. */
  changes?: { source: "git" | "edits"; files: number; insertions: number; deletions: number };
  /** What `--check` found out after the run. */
  check?: RunCheck;
  /** How many events there were of each type. */
  counts?: Partial<Record<EventType, number>>;
  /** The harness that runs it, until it has ended. */
  harness?: ProcessIdentity;
  /** Where a live session takes prompts and answers of other processes of the same user, while it runs. */
  control?: string;
  /** Why the run is being stopped, while it is. */
  stopping?: StopReason;
  /** Why the recording stops before the run did. */
  problem?: string;
}

/** Where an imported recording comes from. */
export interface ImportedFrom {
  /** The name of the file, without its directory. */
  file: string;
  importedAt: string;
  /** The format of the agent's own store that it was read from. */
  store?: string;
  /** The store is in another home than the user's: the agent cannot go on with the session. */
  isFromOtherHome?: true;
  /** The session in that store. */
  session?: string;
  /** How much of the session there was: the size of its files, and when the last of them was changed, in milliseconds. */
  source?: { bytes: number; modifiedAt: number };
  /** The log has no times: those of the recording are all the same, and no duration follows from them. */
  isUntimed?: true;
}

/** The batch that a run belongs to, and the cell of it. */
export interface BatchOfRun {
  id: string;
  cell: string;
}

/** Why a run is being stopped. `not_exiting`: the agent has finished, or failed for good, and does not exit. */
export type StopReason = "cancelled" | "timed_out" | "stalled" | "not_exiting";

/** Distinguishes a process from a later one with the same number. */
export interface ProcessIdentity {
  pid: number;
  /** When it was started, as the system spells it, if that is known. */
  started?: string;
}
