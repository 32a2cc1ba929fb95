import type { JsonValue } from "../text/json.js";
import type { ExitReason, Failure } from "./failure.js";
import type { TokenCounts, UsageScope } from "./usage.js";

/** What the outcome rule decides. */
export interface Outcome {
  isSuccess: boolean;
  reason: ExitReason;
  failure?: Failure;
}

/** How the process ended. `reason` is set only if harness ended the run, or was killed before its end. */
export interface Ended {
  exitCode: number | null;
  signal?: string | null;
  reason?: ExitReason;
  /** The harness stopped the process after its final message: the outcome does not change. */
  stopped?: boolean;
  /** The process could not be started. */
  startFailure?: Failure;
  /** Why harness ended the run. */
  detail?: string;
  /** How the run ended, if that is known from elsewhere: the recorded lines stop before the end. */
  outcome?: Outcome;
}

/** What the stream has reported so far about the run; the outcome rule reads it at the end. */
export interface RunState {
  /** What the terminal record reports. Undefined: none came yet. */
  terminal?: "success" | "failure" | undefined;
  /** Line of the terminal record. */
  terminalLine?: number | undefined;
  /** Set to false for agents that have no terminal record of their own. */
  needsTerminal: boolean;
  /** A fatal error with no success after it, or the cause that the terminal record names. */
  failure?: ReportedFailure | undefined;
  /**
   * What the agent has started and still waits for, in words for people: a command or a subagent in the background,
   * a time to continue at. While there is any, neither a terminal record nor a failure is final.
   */
  openWork?: readonly string[] | undefined;
  /** What the agent has started and does not wait for, in words for people. It ends with the agent. */
  abandoned?: readonly string[] | undefined;
  /** The last complete assistant message, or the answer that the terminal record repeats. */
  text?: string | undefined;
  /** The structured output, if the agent reports it apart from the text. */
  output?: JsonValue | undefined;
  durationMs?: number | undefined;
  costUsd?: number | undefined;
  /** It has a `costUsd` of its own only if the counts cover another span than the run, whose cost is above. */
  usage?:
    | (TokenCounts & { scope: UsageScope; line?: number | undefined; costUsd?: number | undefined })
    | undefined;
  agentVersion?: string | undefined;
}

/** A failure as the agent reported it. */
export interface ReportedFailure {
  message: string;
  code?: string | undefined;
  status?: number | undefined;
  /** Set if the record itself leaves no doubt; otherwise the kind follows from code, status and text. */
  kind?: Failure["kind"] | undefined;
  /** When a limit ends, in ISO 8601. */
  retryAt?: string | undefined;
  /** An `error` event for it was already emitted. */
  isReported: boolean;
}
