import type { TokenCounts } from "../../src/events/usage.js";
import type { ModelApi, TurnUsage } from "../../src/testing/index.js";
import type { Expected } from "./scenario.js";

/** How one agent differs from the rest. Every difference has a reason; there is no other place for one. */
export interface AgentProfile {
  agent: string;
  /** What each token class that it reports is made of, in the script's words. Classes left out are never reported. */
  usage: { readonly [Class in keyof TokenCounts]?: readonly (keyof TurnUsage)[] };
  /** True: after a resume its numbers are those of the whole session. */
  countsSessions?: boolean;
  /** Where it looks for the skills of a workspace. */
  skillFolder: string;
  /** False: no line of its output names the session. */
  tellsSession?: boolean;
  /** False: the calls in its stream have other ids than those of the model. */
  keepsCallIds: boolean;
  /** False: a call is only printed when it is over. */
  announcesCalls: boolean;
  /** False: what its subagents cost is not in its numbers. */
  countsSubagents?: boolean;
  /** In the line that it prints before it asks its model, where it prints one. */
  requestMark?: string;
  /** False: it keeps what the model thinks to itself. */
  showsThinking: boolean;
  /** Another model or API that a scenario needs, since the tools depend on it. */
  models?: Readonly<Record<string, { api?: ModelApi; model?: string }>>;
  /** The only scenarios that it plays, with the reason. */
  only?: { scenarios: readonly string[]; because: string };
  /** Scenarios that it cannot play, with the reason. */
  omitted?: Readonly<Record<string, string>>;
  /** What is otherwise whenever the run is stopped in the middle of a command, with the reason. */
  stopped?: Difference;
  /** What is otherwise in a scenario, with the reason. */
  differences?: Readonly<Record<string, Difference>>;
}

export interface Difference extends Partial<Expected> {
  because: string;
  /** Options of `harness run` in place of the scenario's. */
  options?: readonly string[];
}
