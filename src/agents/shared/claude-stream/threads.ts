import type { JsonObject } from "../../../text/json.js";
import { createRecent } from "../../../text/recent.js";
import type { Sink } from "../../contract.js";
import { withdrawnMessage } from "../withdrawn-text.js";

/** Which message of which thread: `parentCallId` is the call that started a subagent. */
export interface MessageOf {
  parentCallId: string | undefined;
  messageId: string | undefined;
}

/** The message that one thread, the main one or a subagent's, is streaming. */
export interface Streaming extends MessageOf {
  hasThinking: boolean;
  /** What was emitted in pieces, and not yet as a whole message. */
  text: string;
  /** The line of the last piece. */
  line: number;
  usage: JsonObject | undefined;
  /** The message has ended: pieces that follow without a new start belong to another one. */
  isOver: boolean;
}

/** The threads of a run. Messages of parallel subagents arrive interleaved. */
export interface Threads {
  /** A message begins. Pieces of an earlier one that never became a whole message are withdrawn. */
  start(message: MessageOf, usage: JsonObject | undefined, out: Sink): void;
  of(parentCallId: string | undefined): Streaming;
  find(parentCallId: string | undefined): Streaming | undefined;
  /** The answer was cut, and Claude Code asks for another one. The pieces so far are not part of the new answer. */
  withdraw(parentCallId: string | undefined, out: Sink): void;
  /** The id of a message in events. The next try of an answer that was withdrawn may have the same id in the stream. */
  idOf(message: MessageOf): string | undefined;
}

/** A subagent that is still heard of after so many others have begun is not known any more. */
export const rememberedSubagents = 1000;

export function createThreads(): Threads {
  const threads = createRecent<string | undefined, Streaming>(rememberedSubagents);
  /** How many answers with an id were withdrawn. */
  const withdrawals = new Map<string, number>();

  function idOf({ parentCallId, messageId }: MessageOf): string | undefined {
    const count = withdrawals.get(`${parentCallId ?? ""} ${messageId}`);
    return messageId === undefined || count === undefined ? messageId : `${messageId}#${count + 1}`;
  }

  function withdraw(parentCallId: string | undefined, out: Sink): void {
    const thread = threads.get(parentCallId);
    if (thread === undefined || thread.text.trim() === "") return;
    thread.text = "";
    const nativeId = thread.messageId?.replace(/#\d+$/, "");
    const key = `${parentCallId ?? ""} ${nativeId}`;
    if (nativeId !== undefined) withdrawals.set(key, (withdrawals.get(key) ?? 0) + 1);
    out.emit({ type: "warning", parentCallId, message: withdrawnMessage, code: "text_withdrawn" });
  }

  function add(message: MessageOf, more: Partial<Streaming> = {}): Streaming {
    const nothing = { hasThinking: false, text: "", line: 0, usage: undefined, isOver: false };
    const thread = { ...nothing, ...message, ...more };
    threads.set(message.parentCallId, thread);
    return thread;
  }

  return {
    start({ parentCallId, messageId }, usage, out) {
      withdraw(parentCallId, out);
      add({ parentCallId, messageId: idOf({ parentCallId, messageId }) }, { usage });
    },
    of(parentCallId) {
      const known = threads.get(parentCallId);
      if (known !== undefined && !known.isOver) return known;
      return add({ parentCallId, messageId: undefined }, known && { text: known.text, line: known.line });
    },
    find: (parentCallId) => threads.get(parentCallId),
    withdraw,
    idOf,
  };
}
