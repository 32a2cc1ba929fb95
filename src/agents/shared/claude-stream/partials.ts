import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { tokensOfStep } from "./usage.js";

/**
 * `stream_event` records (`--include-partial-messages`): the API's own events. Deltas are emitted at once. The whole
 * block follows as an `assistant` record, so partials remember what was already streamed.
 */
export interface Partials {
  record(record: JsonObject, out: Sink): void;
  /** The id that pieces of a message have. The next try of an answer that was withdrawn may have the same id in the stream. */
  idOf(message: MessageOf): string | undefined;
  /** True if thinking of this message was emitted in pieces. */
  hasStreamedThinking(message: MessageOf): boolean;
  /** A thread has sent a whole message, which contains what was streamed before, unless that was another message. */
  restated(message: MessageOf, out: Sink): void;
  /** The text that was emitted in pieces and not restated. */
  takeUnfinished(): UnfinishedText | undefined;
}

/** Which message of which thread: `parentCallId` is the call that started a subagent. */
export interface MessageOf {
  parentCallId: string | undefined;
  messageId: string | undefined;
}

export interface UnfinishedText {
  text: string;
  messageId: string | undefined;
  /** The line of the last piece. */
  line: number;
}

/** The message that one thread, the main one or a subagent's, is streaming. */
interface Streaming {
  messageId: string | undefined;
  hasThinking: boolean;
  /** Text was emitted in pieces, and no whole message has contained it yet. */
  hasText: boolean;
  usage: JsonObject | undefined;
  /** The message has ended: pieces that follow without a new start belong to another one. */
  isOver?: true;
}

export function createPartials(): Partials {
  /** Keyed by the call that started the thread, since messages of parallel subagents arrive interleaved. */
  const threads = new Map<string | undefined, Streaming>();
  let unfinished: UnfinishedText | undefined;
  const withdrawals = new Map<string, number>();

  function idOf({ parentCallId, messageId }: MessageOf): string | undefined {
    const count = withdrawals.get(`${parentCallId ?? ""} ${messageId}`);
    return messageId === undefined || count === undefined ? messageId : `${messageId}#${count + 1}`;
  }

  /** The answer was cut, and Claude Code asks for another one. What was streamed of it is not part of that. */
  function withdraw(parentCallId: string | undefined, out: Sink): void {
    const thread = threads.get(parentCallId);
    if (thread?.hasText !== true) return;
    thread.hasText = false;
    if (parentCallId === undefined) unfinished = undefined;
    const nativeId = thread.messageId?.replace(/#\d+$/, "");
    const key = `${parentCallId ?? ""} ${nativeId}`;
    if (nativeId !== undefined) withdrawals.set(key, (withdrawals.get(key) ?? 0) + 1);
    const message = "the answer was cut: its text so far is withdrawn";
    out.emit({ type: "warning", parentCallId, message, code: "text_withdrawn" });
  }

  const events: Readonly<
    Record<
      string,
      (event: JsonObject, out: Sink, parentCallId: string | undefined, record: JsonObject) => void
    >
  > = {
    message_start(event, out, parentCallId) {
      withdraw(parentCallId, out);
      const message = asObject(event["message"]);
      threads.set(parentCallId, {
        messageId: idOf({ parentCallId, messageId: asText(message?.["id"]) }),
        hasThinking: false,
        hasText: false,
        usage: asObject(message?.["usage"]),
      });
      out.consume("stream_event/message_start");
    },
    content_block_start: (_event, out) => out.consume("stream_event/content_block_start"),
    content_block_stop: (_event, out) => out.consume("stream_event/content_block_stop"),
    content_block_delta(event, out, parentCallId) {
      const delta = asObject(event["delta"]) ?? {};
      const kind = asText(delta["type"]);
      if (delta["text"] === "" || delta["thinking"] === "") {
        return out.consume("stream_event/content_block_delta: empty");
      }
      if (kind === "text_delta" && typeof delta["text"] === "string") {
        const thread = threadOf(threads, parentCallId);
        const { messageId } = thread;
        thread.hasText = true;
        if (parentCallId === undefined) {
          const text = (unfinished?.text ?? "") + delta["text"];
          unfinished = { text, messageId, line: out.lineNumber };
        }
        return out.emit({ type: "text", delta: delta["text"], messageId, parentCallId });
      }
      if (kind === "thinking_delta" && typeof delta["thinking"] === "string") {
        threadOf(threads, parentCallId).hasThinking = true;
        return out.emit({ type: "thinking", delta: delta["thinking"], parentCallId });
      }
      out.consume(`stream_event/content_block_delta: ${kind ?? "no type"} is restated by the whole block`);
    },
    message_delta(event, out, parentCallId) {
      const thread = threadOf(threads, parentCallId);
      thread.usage = laterUsage(thread.usage, asObject(event["usage"]));
      out.consume("stream_event/message_delta");
    },
    message_stop(_event, out, parentCallId, record) {
      const thread = threadOf(threads, parentCallId);
      const isAbandoned = asObject(record["abandoned_blocks"]) !== undefined;
      const tokens = isAbandoned ? undefined : tokensOfStep(thread.usage);
      thread.usage = undefined;
      thread.isOver = true;
      if (isAbandoned) withdraw(parentCallId, out);
      if (tokens === undefined) return out.consume("stream_event/message_stop");
      out.emit({ type: "usage", parentCallId, ...tokens, scope: "step" });
    },
  };

  return {
    record(record, out) {
      const event = asObject(record["event"]) ?? {};
      const type = asText(event["type"]) ?? "";
      const handle = Object.hasOwn(events, type) ? events[type] : undefined;
      if (handle === undefined) return out.consume("stream_event: telemetry that whole records restate");
      handle(event, out, asText(record["parent_tool_use_id"]), record);
    },
    idOf,
    hasStreamedThinking({ parentCallId, messageId }) {
      const thread = threads.get(parentCallId);
      return thread?.hasThinking === true && messageId !== undefined && messageId === thread.messageId;
    },
    restated({ parentCallId, messageId }, out) {
      const thread = threads.get(parentCallId);
      const streamed = thread?.messageId;
      if (streamed !== undefined && messageId !== undefined && streamed !== messageId)
        withdraw(parentCallId, out);
      if (thread !== undefined) thread.hasText = false;
      if (parentCallId === undefined) unfinished = undefined;
    },
    takeUnfinished() {
      const cut = unfinished;
      unfinished = undefined;
      return cut === undefined || cut.text.trim() === "" ? undefined : cut;
    },
  };
}

function threadOf(threads: Map<string | undefined, Streaming>, parentCallId: string | undefined): Streaming {
  const known = threads.get(parentCallId);
  if (known !== undefined && !known.isOver) return known;
  const created = { messageId: undefined, hasThinking: false, hasText: false, usage: undefined };
  threads.set(parentCallId, created);
  return created;
}

/** The token counts of a message so far. Its end may omit, or send as 0, counts that its start reported. */
function laterUsage(before: JsonObject | undefined, after: JsonObject | undefined): JsonObject | undefined {
  if (before === undefined || after === undefined) return after ?? before;
  const news = Object.entries(after).filter(([key, value]) => value || before[key] === undefined);
  return { ...before, ...Object.fromEntries(news) };
}
