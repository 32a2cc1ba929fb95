import type { Scenario } from "../../src/testing/index.js";
import type { ExitReason, FailureKind } from "../../src/vocabulary/failure.js";
import type { LiveRun } from "./run-harness.js";

/** One situation, written once for all agents. */
export interface RealScenario {
  name: string;
  prompt: string;
  script: Scenario;
  /** What is in the workspace besides the usual files. */
  files?: Readonly<Record<string, string>>;
  /** Options of `harness run`. */
  options?: readonly string[];
  /** Nobody listens where the model is said to be. */
  isRefused?: boolean;
  /** The prompt of an earlier run in the same home, whose session this one continues. */
  resumes?: string;
  /** What happens to the run from outside. */
  during?: (live: LiveRun) => Promise<void>;
  /** The order of the operations is up to the agent. */
  isUnordered?: boolean;
  expected: Expected;
}

/** How a run looks on all its sides. What is not named must not be. */
export interface Expected {
  /** Of `harness` itself. */
  exitCode: number;
  reason: ExitReason;
  failure?: FailureKind | undefined;
  /** The final answer; `*` when it does not matter. */
  text?: string | undefined;
  /** In order, see `describeOperations`. `*` where it depends on the machine what comes to be seen. */
  operations: readonly string[] | "*";
  /** Calls that no rule recognises, by the tool's name. */
  unrecognised?: readonly string[];
  /** How many calls of the model are not in the stream at all. */
  hiddenCalls?: number;
  /** What is on the disk afterwards and was not before; null: gone. */
  changes?: Readonly<Record<string, string | null>>;
  /** How often the model was asked, titles and the like left out. `*` where retries decide. */
  requests: number | "*";
  /** What stands in the place of a secret, wherever it comes from. */
  masked?: Readonly<Record<string, string>>;
  /** False where nothing was reported, or only a part of what was sent. */
  hasUsage?: boolean;
}
