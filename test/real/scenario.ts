import type { ExitReason, FailureKind } from "../../src/events/failure.js";
import type { Scenario } from "../../src/testing/index.js";
import type { LiveRun } from "./live-run.js";
import type { Moment } from "./moment.js";

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
  /** What harness is used as. Default: the command. */
  through?: "command" | "library";
  /** What happens to the run from outside. One that is stopped tells the moment of it. */
  during?: (live: LiveRun) => Promise<Moment | undefined>;
  /** The option that ends the run while the command goes on; how long it takes depends on the agent and the machine. */
  timer?: Timer;
  /** The order of the operations is up to the agent. */
  isUnordered?: boolean;
  expected: Expected;
}

export type Timer = "--timeout" | "--idle-timeout";

/** How a run looks on all its sides. What is not named must not be. */
export interface Expected {
  /** Of `harness` itself; -1 when a signal killed it. */
  exitCode: number;
  /** `interrupted`: as the recording tells it when `harness` could not. */
  reason: ExitReason | "interrupted";
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
