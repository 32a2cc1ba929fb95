import type { ModelApi, Piece } from "../../../src/testing/index.js";

/** How one agent is seen to use the options of a task that not every agent has. Those that it lacks are left out. */
export interface OptionsProfile {
  agent: string;
  /** For an older version in the lock file (`<agent>@<version>`). */
  version?: string;
  /** The model, if the options depend on it. */
  model?: string;
  api?: ModelApi;
  /** Files of the home, in place of those that lead to the scripted model or appended to them. */
  settings?: Readonly<Record<string, string>>;
  /** A level, and what of it is in a request. Null: the agent sends none for the scripted model. */
  effort?: { level: string; seen: string | null };
  /** The tools that are allowed, and all that a request then has. */
  tools?: { allowed: readonly string[]; advertised: readonly string[] };
  /** True if the agent takes MCP servers. The model calls the tool `look_up` of the server `demo`. */
  hasServers?: boolean;
  /** How its model gives a structured answer. */
  answer?(value: { word: string | number }): readonly Piece[];
}
