import type { FailureKind } from "../../../events/failure.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Finished, OpenCall, Operation, Sink, TodoTools } from "../../contract.js";
import type { ReportedTokens } from "../tokens.js";

/** What one agent adds to ACP. Everything in it is optional: an agent without a dialect is read by the protocol alone. */
export interface AcpDialect {
  /** How its figures and calls are to be read. Left out: as the name in its handshake says. */
  facts?: AcpFacts;
  /** The name of a call's tool. Undefined: where ACP or a known extension has it. */
  nameOf?(call: CallFields): string | undefined;
  /** What a call does, by the agent's own table of tools. Empty: by the kind of the call. */
  operationsOf?(name: string, call: CallFields, cwd: string | undefined): Operation[];
  /** Ends a call whose record says less, or more, than ACP does. Left out: by its status and exit code. */
  endCall?(ending: Ending, out: Sink): void;
  /** Who wrote a chunk of text. Undefined: the model. */
  voiceOf?(text: string, chunk: JsonObject): Voice | undefined;
  /** A piece of reasoning without what the agent puts around it. */
  thoughtOf?(text: string): string;
  /** The tokens in the answer to a prompt. Left out: `usage`. */
  tokensOf?(answer: JsonObject): ReportedTokens | undefined;
  /** What an error answer means, if its words need reading. */
  causeOf?(error: JsonObject): Cause | undefined;
  /** Only the calls of this tool are reported: neither operations nor `unknown` follow. */
  isSilent?(name: string): boolean;
  /** Its to-do tools, as in its one-shot mapping. */
  todoTools?: TodoTools;
  /** The model's name, if its id is not the name. */
  modelNameOf?(id: string, models: readonly JsonValue[]): string | undefined;
}

/** How the records of one agent are to be read. */
export interface AcpFacts {
  /**
   * What `usage` in the answer to a prompt covers. The protocol says: the turn. `request`: only the last request of the turn.
   * `session`: everything since the process started. `none`: it is not there, or counts come another way.
   */
  usage: "turn" | "request" | "session" | "none";
  /** The input includes what was read from or written to a cache. */
  hasWholeInput?: true;
  /** The output does not include reasoning, which is counted apart. */
  hasThoughtsApart?: true;
  /** A call is `failed` if its command exits with another code than 0. Elsewhere `completed` says nothing about the command. */
  failsByExitCode?: true;
  /** Where the output of a call is better: in `content` (default), or in `rawOutput`. */
  output?: "raw";
  /** The title of a call's first record is the name of its tool. `prefix`: the part before `: `. */
  titleIsName?: true | "prefix";
  /** The groups `pattern` and `path` of a search in the title of its call, for an agent that sends no input. */
  searchTitle?: RegExp;
  /** Tools that start a subagent, and the fields with its name. */
  subagentTools?: Readonly<Record<string, readonly string[]>>;
  /** What a subagent says, or says and calls, comes without a mark while its call is open. */
  unmarked?: "texts" | "all";
  /** "Always" outlives the session, covers more than what was asked, or has no effect, so it is not offered. */
  hasBroadAlways?: true;
}

/** What is known of a call: the fields of its records so far, newer ones over older ones. */
export interface CallFields {
  callId: string;
  title?: string | undefined;
  /** The title of its first record. */
  firstTitle?: string | undefined;
  /** `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `switch_mode` or `other`. */
  kind?: string | undefined;
  /** The tool's name where an extension of the protocol has it. */
  toolName?: string | undefined;
  input?: JsonValue | undefined;
  output?: JsonValue | undefined;
  content: readonly JsonValue[];
  locations: readonly JsonValue[];
  /** What its command printed, if that came in pieces. */
  printed: string;
  exitCode?: number | undefined;
  status?: string | undefined;
}

/** A call that ends. */
export interface Ending {
  call: OpenCall;
  /** How it ended, by its status and exit code. */
  how: Finished;
  fields: CallFields;
  /** The version of the agent. */
  version: string | undefined;
}

/** A text that the model did not write. */
export type Voice =
  /** It reports that the agent gave up. */
  | { as: "failure" }
  /** It may report a failure. It does if the turn ends with it and without figures. */
  | { as: "suspect" }
  /** The agent asks the model again: what it said so far is withdrawn. */
  | { as: "retry"; message: string }
  | { as: "warning"; message: string }
  | { as: "nothing"; rule: string };

/** Why a prompt failed. */
export interface Cause {
  message: string;
  code?: string | undefined;
  status?: number | undefined;
  kind?: FailureKind | undefined;
}
