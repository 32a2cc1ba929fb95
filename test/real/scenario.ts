import type { ExitReason, FailureKind } from "../../src/events/failure.js";
import type { Scenario } from "../../src/testing/index.js";
import type { LiveRun } from "./live-run.js";
import type { Moment } from "./moment.js";

/** One situation, described once for all agents. */
export interface RealScenario {
  name: string;
  prompt: string;
  script: Scenario;
  /** Files in the workspace besides the usual ones. */
  files?: Readonly<Record<string, string>>;
  /** Options of `harness run`. */
  options?: readonly string[];
  /** No server listens at the model's address. */
  isRefused?: boolean;
  /** The prompt of an earlier run in the same home. This run resumes its session. */
  resumes?: string;
  /** How harness is used. Default: the command. */
  through?: "command" | "library";
  /** What happens to the run from outside. If it stops the run, it returns the state at that moment. */
  during?: (live: LiveRun) => Promise<Moment | undefined>;
  /** The option that ends the run during the command. Its value depends on the agent and the machine. */
  timer?: Timer;
  /** True if the agent chooses the order of the operations. */
  isUnordered?: boolean;
  expected: Expected;
}

export type Timer = "--timeout" | "--idle-timeout";

/** How a run must look. What is not named must be absent. */
export interface Expected {
  /** The exit code of `harness` itself; -1 if a signal killed it. */
  exitCode: number;
  /** `interrupted`: from the recording, if `harness` could not report it. */
  reason: ExitReason | "interrupted";
  failure?: FailureKind | undefined;
  /** The final answer, or `*` if it does not matter. */
  text?: string | undefined;
  /** In order, see `describeOperations`. `*` if the machine's speed decides what is visible. */
  operations: readonly string[] | "*";
  /** Calls that no rule recognises, by tool name. */
  unrecognised?: readonly string[];
  /** The number of the model's calls that are missing in the stream. */
  hiddenCalls?: number;
  /** The number of calls in the stream that the agent has made by itself. */
  ownCalls?: number;
  /** New files on the disk afterwards; null for a removed one. */
  changes?: Readonly<Record<string, string | null>>;
  /** The number of model requests, without those for titles. `*` if it depends on retries. */
  requests: number | "*";
  /** The replacements of secrets, wherever they come from. */
  masked?: Readonly<Record<string, string>>;
  /** False if no tokens were reported, or only a part of them. */
  hasUsage?: boolean;
}
