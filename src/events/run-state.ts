import type { ExitReason, Failure } from "./failure.js";
import type { TokenCounts, UsageScope } from "./usage.js";

export interface Outcome {
  isSuccess: boolean;
  reason: ExitReason;
  failure?: Failure;
}

/** How the process ended. `reason` only when the harness ended the run, or was killed before it could see the end. */
export interface Ended {
  exitCode: number | null;
  signal?: string | null;
  reason?: ExitReason;
  /** The harness stopped the process after its last word: the outcome stands. */
  stopped?: boolean;
  /** The process could not be started. */
  startFailure?: Failure;
  /** Why the harness ended the run. */
  detail?: string;
  /** How the run ended, when somebody else saw it: the lines at hand stop before its end. */
  outcome?: Outcome;
}

/** What the stream has said so far about how the run is going; the outcome rule reads it at the end. */
export interface RunState {
  /** What the terminal record said. Undefined: none seen. */
  terminal?: "success" | "failure" | undefined;
  /** Line of the terminal record. */
  terminalLine?: number | undefined;
  /** Set to false for agents that have no terminal record of their own. */
  needsTerminal: boolean;
  /** A fatal error with no success after it, or the cause that the terminal record gave. */
  failure?: ReportedFailure | undefined;
  /**
   * What the agent has started and still waits for, in words for people: a command or a subagent in the background,
   * a time to go on at. While there is any, neither a terminal record nor a failure is its last word.
   */
  openWork?: readonly string[] | undefined;
  /** What the agent has started and does not wait for, so that it ends with the agent, in words for people. */
  abandoned?: readonly string[] | undefined;
  /** The last complete assistant message, or the answer that the terminal record repeats. */
  text?: string | undefined;
  durationMs?: number | undefined;
  costUsd?: number | undefined;
  /** Its own `costUsd` only when the counts cover another span than the run, whose cost is above. */
  usage?:
    | (TokenCounts & { scope: UsageScope; line?: number | undefined; costUsd?: number | undefined })
    | undefined;
  agentVersion?: string | undefined;
}

/** A failure as the agent told it. */
export interface ReportedFailure {
  message: string;
  code?: string | undefined;
  status?: number | undefined;
  /** Known beyond doubt from the record itself; otherwise the kind is read from code, status and text. */
  kind?: Failure["kind"] | undefined;
  /** An `error` event for it is already out. */
  isReported: boolean;
}
