import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { tokensOfStep } from "./usage.js";

/**
 * `stream_event` records (`--include-partial-messages`): the API's own events. Deltas go out at once;
 * the whole block follows as an `assistant` record, so partials remember what was already streamed.
 */
export interface Partials {
  record(record: JsonObject, out: Sink): void;
  /** True when the thinking of the message at hand has gone out in pieces. */
  hasStreamedThinking(messageId: string | undefined): boolean;
  /** The main thread has said something whole: what was streamed before it is told. */
  restated(): void;
  /** The text that went out in pieces and was not restated, and the line of its last piece. */
  takeCut(): { text: string; line: number } | undefined;
}

export function createPartials(): Partials {
  let messageId: string | undefined;
  let hasThinking = false;
  let usage: JsonObject | undefined;
  let unfinished = "";
  let lastLine = 0;

  const events: Readonly<
    Record<string, (event: JsonObject, out: Sink, parentCallId: string | undefined) => void>
  > = {
    message_start(event, out, parentCallId) {
      const message = asObject(event["message"]);
      messageId = asText(message?.["id"]);
      usage = asObject(message?.["usage"]);
      hasThinking = false;
      if (parentCallId === undefined) unfinished = "";
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
        if (parentCallId === undefined) {
          unfinished += delta["text"];
          lastLine = out.lineNumber;
        }
        return out.emit({ type: "text", delta: delta["text"], messageId, parentCallId });
      }
      if (kind === "thinking_delta" && typeof delta["thinking"] === "string") {
        hasThinking = true;
        return out.emit({ type: "thinking", delta: delta["thinking"], parentCallId });
      }
      out.consume(`stream_event/content_block_delta: ${kind ?? "no type"} is restated by the whole block`);
    },
    message_delta(event, out) {
      usage = laterUsage(usage, asObject(event["usage"]));
      out.consume("stream_event/message_delta");
    },
    message_stop(_event, out, parentCallId) {
      const tokens = tokensOfStep(usage);
      usage = undefined;
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
    hasStreamedThinking: (id) => hasThinking && id !== undefined && id === messageId,
    restated() {
      unfinished = "";
    },
    takeCut() {
      const text = unfinished;
      unfinished = "";
      return text.trim() === "" ? undefined : { text, line: lastLine };
    },
  };
}

/** Counts of a message so far. Its end may leave out, or send as 0, what its start has told. */
function laterUsage(before: JsonObject | undefined, after: JsonObject | undefined): JsonObject | undefined {
  if (before === undefined || after === undefined) return after ?? before;
  const told = Object.entries(after).filter(([key, value]) => value || before[key] === undefined);
  return { ...before, ...Object.fromEntries(told) };
}
