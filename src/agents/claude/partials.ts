import type { Sink } from "../../translator/contract.js";
import { asObject, asText } from "../../translator/fields.js";
import type { JsonObject, JsonValue } from "../../vocabulary/json.js";
import { tokensOfStep } from "./usage.js";

/**
 * `stream_event` records (`--include-partial-messages`): the API's own events. Deltas go out at once;
 * the whole block follows as an `assistant` record, so partials remember what was already streamed.
 */
export interface Partials {
  record(record: JsonObject, out: Sink): void;
  /** True when the thinking of the message at hand has gone out in pieces. */
  hasStreamedThinking(messageId: string | undefined): boolean;
}

export function createPartials(): Partials {
  let messageId: string | undefined;
  let hasThinking = false;
  let usage: JsonValue | undefined;

  const events: Readonly<
    Record<string, (event: JsonObject, out: Sink, parentCallId: string | undefined) => void>
  > = {
    message_start(event, out) {
      const message = asObject(event["message"]);
      messageId = asText(message?.["id"]);
      usage = message?.["usage"];
      hasThinking = false;
      out.consume("stream_event/message_start");
    },
    content_block_start: (_event, out) => out.consume("stream_event/content_block_start"),
    content_block_stop: (_event, out) => out.consume("stream_event/content_block_stop"),
    content_block_delta(event, out, parentCallId) {
      const delta = asObject(event["delta"]) ?? {};
      const kind = asText(delta["type"]);
      if (kind === "text_delta" && typeof delta["text"] === "string") {
        return out.emit({ type: "text", delta: delta["text"], messageId, parentCallId });
      }
      if (kind === "thinking_delta" && typeof delta["thinking"] === "string") {
        hasThinking = true;
        return out.emit({ type: "thinking", delta: delta["thinking"], parentCallId });
      }
      out.consume(`stream_event/content_block_delta: ${kind ?? "no type"} is restated by the whole block`);
    },
    message_delta(event, out) {
      usage = event["usage"] ?? usage;
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
  };
}
