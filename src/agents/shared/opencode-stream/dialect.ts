import type { JsonObject } from "../../../text/json.js";
import type { ToolTable } from "../tool-table.js";

/** What an agent with the OpenCode shape of stream adds to it. */
export interface Dialect {
  tools: ToolTable;
  subagentTools: SubagentTools;
  /** Tools that start commands without waiting for them, each with the field of its metadata that identifies what was started. */
  backgroundTools?: Readonly<Record<string, string>>;
}

/** Tools that start subagents, each with a function that reads them from its call. */
export type SubagentTools = Readonly<Record<string, (call: FinishedCall) => Subagent[]>>;

/** A tool call as its one record reports it. */
export interface FinishedCall {
  callId: string;
  name: string;
  input: JsonObject;
  /** What the tool itself says about the call: exit code, child session, files. */
  metadata: JsonObject;
  isSuccess: boolean | undefined;
  exitCode: number | undefined;
  /** The call only started its command or its subagent, which goes on: no record says how it ends. */
  isInBackground: boolean;
  /** Why it failed, in words. */
  error: string | undefined;
}

export interface Subagent {
  id?: string | undefined;
  name?: string | undefined;
  /** The call only started it: it goes on, and no record says how it ends. */
  isInBackground?: boolean;
}
