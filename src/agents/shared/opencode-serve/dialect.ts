import type { Dialect } from "../opencode-stream/dialect.js";
import type { PermissionConfig } from "./permission-rules.js";

/** What an agent with OpenCode's server adds to it. */
export interface ServeDialect {
  /** How its parts are read, as in a one-shot run. */
  stream: Dialect;
  /** Its variables begin with it, and it is the user's name of its server in lower case: `OPENCODE`. */
  prefix: string;
  /** Variables that every session has. */
  env?: Readonly<Record<string, string>>;
  /** What a read-only session may do, as a one-shot run has it. */
  readOnly: PermissionConfig;
  /** Events that wait for an answer which harness cannot give, each with the request that says so, where `*` stands for the id. */
  declined?: Readonly<Record<string, string>>;
}

/** The agent of a read-only session. */
export const readOnlyAgent = "plan";
