import type { FailureKind } from "../../../events/failure.js";
import type { TokenCounts } from "../../../events/usage.js";
import type { JsonObject } from "../../../text/json.js";
import type { Finished, OpenCall, Sink } from "../../contract.js";
import type { StreamedMessage } from "../streamed-message.js";
import type { ToolTable } from "../tool-table.js";

/** What an agent with the Gemini shape of stream adds to it or does differently. */
export interface Dialect {
  tools: ToolTable;
  /** Tools that run a subagent, with the input fields that can name it. */
  subagentTools: Readonly<Record<string, readonly string[]>>;
  tokensOf(stats: JsonObject): TokenCounts | undefined;
  /** How to read what the assistant says. Left out: every piece is answer text. */
  prose?: Prose;
  /** A call that the dialect reports in another way: true if it did. */
  startCall?(record: JsonObject, message: StreamedMessage, out: Sink): boolean;
  /** Ends a call whose success is not simply its status. */
  endCall?(call: OpenCall, how: Finished, out: Sink): void;
  /** A result without its call: true if it was recognised. Left out: `unknown`. */
  loneResult?(record: JsonObject, how: Finished, out: Sink): boolean;
  /** What else the terminal record reports; called before its status is read. */
  result?(record: JsonObject, out: Sink): void;
  /** Reads the cause from the message of a failed result. */
  cause?(message: string): Cause;
  /** Statuses of a result that name a kind of failure. */
  statusKinds?: Readonly<Record<string, FailureKind>>;
  /** A record of a type that the shape does not have. Left out: `unknown`. */
  other?(record: JsonObject, out: Sink): void;
}

/** Splits what the assistant says into answer, reasoning and the rest. */
export interface Prose {
  take(record: JsonObject, content: string, message: StreamedMessage, out: Sink): void;
  /** The assistant has stopped speaking: emit what is held. */
  end(message: StreamedMessage, out: Sink): void;
}

export interface Cause {
  message: string;
  code?: string | undefined;
  status?: number | undefined;
}
