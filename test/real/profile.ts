import type { TokenCounts } from "../../src/events/usage.js";
import type { ModelApi, TurnUsage } from "../../src/testing/index.js";
import type { Expected } from "./scenario.js";

/** How one agent differs from the others. All differences are here, each with a reason. */
export interface AgentProfile {
  agent: string;
  /** For an older version in the lock file (`<agent>@<version>`). */
  version?: string;
  /**
   * How each token class that it reports is computed from the script's classes. Other classes are never reported. Absent if
   * it reports no tokens at all.
   */
  usage?: { readonly [Class in keyof TokenCounts]?: readonly (keyof TurnUsage)[] };
  /** True if its numbers after a resume are those of the whole session. */
  countsSessions?: boolean;
  /** The directory of a workspace's skills. */
  skillFolder: string;
  /** False if no line of its output names the session, `atEnd` if only the last line of a success does. */
  tellsSession?: boolean | "atEnd";
  /** False if the calls in its stream do not have the model's ids. */
  keepsCallIds: boolean;
  /** False if a call is printed only at its end. */
  announcesCalls: boolean;
  /** False if its numbers exclude those of its subagents. */
  countsSubagents?: boolean;
  /** True if its numbers include those of requests outside the conversation. */
  countsSideRequests?: boolean;
  /** A text in the line that it prints before a request to its model, if it prints one. */
  requestMark?: string;
  /** False if it does not print the model's thinking. */
  showsThinking: boolean;
  /** Another model or API that a scenario needs, because the tools depend on it. */
  models?: Readonly<Record<string, { api?: ModelApi; model?: string }>>;
  /** The only scenarios that it plays, with the reason. */
  only?: { scenarios: readonly string[]; because: string };
  /** Scenarios that it cannot play, with the reason. */
  omitted?: Readonly<Record<string, string>>;
  /** What differs whenever the run is stopped in the middle of a command, with the reason. */
  stopped?: Difference;
  /** What differs in a scenario, with the reason. */
  differences?: Readonly<Record<string, Difference>>;
}

export interface Difference extends Partial<Expected> {
  because: string;
  /** Options of `harness run` that replace the scenario's. */
  options?: readonly string[];
}
