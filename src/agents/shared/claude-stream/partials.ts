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
  /** True if thinking of this message was emitted in pieces. */
  hasStreamedThinking(message: MessageOf): boolean;
  /** The main thread has sent a whole message, which contains what was streamed before. */
  restated(): void;
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
  usage: JsonObject | undefined;
  /** The message has ended: pieces that follow without a new start belong to another one. */
  isOver?: true;
}

export function createPartials(): Partials {
  /** Keyed by the call that started the thread, since messages of parallel subagents arrive interleaved. */
  const threads = new Map<string | undefined, Streaming>();
  let unfinished: UnfinishedText | undefined;

  const events: Readonly<
    Record<string, (event: JsonObject, out: Sink, parentCallId: string | undefined) => void>
  > = {
    message_start(event, out, parentCallId) {
      const message = asObject(event["message"]);
      threads.set(parentCallId, {
        messageId: asText(message?.["id"]),
        hasThinking: false,
        usage: asObject(message?.["usage"]),
      });
      if (parentCallId === undefined) unfinished = undefined;
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
        const { messageId } = threadOf(threads, parentCallId);
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
    message_stop(_event, out, parentCallId) {
      const thread = threadOf(threads, parentCallId);
      const tokens = tokensOfStep(thread.usage);
      thread.usage = undefined;
      thread.isOver = true;
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
      handle(event, out, asText(record["parent_tool_use_id"]));
    },
    hasStreamedThinking({ parentCallId, messageId }) {
      const thread = threads.get(parentCallId);
      return thread?.hasThinking === true && messageId !== undefined && messageId === thread.messageId;
    },
    restated() {
      unfinished = undefined;
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
  const created = { messageId: undefined, hasThinking: false, usage: undefined };
  threads.set(parentCallId, created);
  return created;
}

/** The token counts of a message so far. Its end may omit, or send as 0, counts that its start reported. */
function laterUsage(before: JsonObject | undefined, after: JsonObject | undefined): JsonObject | undefined {
  if (before === undefined || after === undefined) return after ?? before;
  const news = Object.entries(after).filter(([key, value]) => value || before[key] === undefined);
  return { ...before, ...Object.fromEntries(news) };
}
