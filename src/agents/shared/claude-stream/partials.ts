import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { createThreads, type MessageOf, type Streaming } from "./threads.js";
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

interface UnfinishedText {
  text: string;
  messageId: string | undefined;
  /** The line of the last piece. */
  line: number;
}

type Handle = (thread: Streaming, event: JsonObject, out: Sink) => void;

export function createPartials(): Partials {
  const threads = createThreads();

  return {
    record(record, out) {
      const event = asObject(record["event"]) ?? {};
      const type = asText(event["type"]) ?? "";
      const parentCallId = asText(record["parent_tool_use_id"]);
      if (type === "message_start") {
        const message = asObject(event["message"]);
        threads.start(
          { parentCallId, messageId: asText(message?.["id"]) },
          asObject(message?.["usage"]),
          out,
        );
        return out.consume("stream_event/message_start");
      }
      if (type === "message_stop" && asObject(record["abandoned_blocks"]) !== undefined) {
        threads.of(parentCallId).isOver = true;
        threads.withdraw(parentCallId, out);
        return out.consume("stream_event/message_stop: the message was abandoned");
      }
      const handle = Object.hasOwn(events, type) ? events[type] : undefined;
      if (handle === undefined) return out.consume("stream_event: telemetry that whole records restate");
      handle(threads.of(parentCallId), event, out);
    },
    idOf: threads.idOf,
    hasStreamedThinking({ parentCallId, messageId }) {
      const thread = threads.find(parentCallId);
      return thread?.hasThinking === true && messageId !== undefined && messageId === thread.messageId;
    },
    restated({ parentCallId, messageId }, out) {
      const thread = threads.find(parentCallId);
      if (thread === undefined) return;
      const isOther =
        thread.messageId !== undefined && messageId !== undefined && thread.messageId !== messageId;
      if (isOther) threads.withdraw(parentCallId, out);
      thread.text = "";
    },
    takeUnfinished() {
      const thread = threads.find(undefined);
      if (thread === undefined) return undefined;
      const { text, messageId, line } = thread;
      thread.text = "";
      return text.trim() === "" ? undefined : { text, messageId, line };
    },
  };
}

const events: Readonly<Record<string, Handle>> = {
  content_block_start: (_thread, _event, out) => out.consume("stream_event/content_block_start"),
  content_block_stop: (_thread, _event, out) => out.consume("stream_event/content_block_stop"),
  content_block_delta(thread, event, out) {
    const { messageId, parentCallId } = thread;
    const delta = asObject(event["delta"]) ?? {};
    const kind = asText(delta["type"]);
    if (delta["text"] === "" || delta["thinking"] === "") {
      return out.consume("stream_event/content_block_delta: empty");
    }
    if (kind === "text_delta" && typeof delta["text"] === "string") {
      thread.text += delta["text"];
      thread.line = out.lineNumber;
      return out.emit({ type: "text", delta: delta["text"], messageId, parentCallId });
    }
    if (kind === "thinking_delta" && typeof delta["thinking"] === "string") {
      thread.hasThinking = true;
      return out.emit({ type: "thinking", delta: delta["thinking"], parentCallId });
    }
    out.consume(`stream_event/content_block_delta: ${kind ?? "no type"} is restated by the whole block`);
  },
  message_delta(thread, event, out) {
    thread.usage = laterUsage(thread.usage, asObject(event["usage"]));
    out.consume("stream_event/message_delta");
  },
  message_stop(thread, _event, out) {
    const tokens = tokensOfStep(thread.usage);
    thread.usage = undefined;
    thread.isOver = true;
    if (tokens === undefined) return out.consume("stream_event/message_stop");
    out.emit({ type: "usage", parentCallId: thread.parentCallId, ...tokens, scope: "step" });
  },
};

/** The token counts of a message so far. Its end may omit, or send as 0, counts that its start reported. */
function laterUsage(before: JsonObject | undefined, after: JsonObject | undefined): JsonObject | undefined {
  if (before === undefined || after === undefined) return after ?? before;
  const news = Object.entries(after).filter(([key, value]) => value || before[key] === undefined);
  return { ...before, ...Object.fromEntries(news) };
}
