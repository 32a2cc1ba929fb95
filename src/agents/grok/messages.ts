import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { createRecent } from "../../text/recent.js";
import type { Mapping, Sink } from "../contract.js";
import { tokensOfStep } from "../shared/claude-stream/usage.js";
import { createBlocks } from "./blocks.js";
import type { GrokSubagents } from "./subagents.js";
import { spawnTool } from "./tools.js";

/** The messages of `streaming-messages-json`. The stream gets them with the subagent that they belong to, if it is known. */
export interface Messages {
  streamEvent(record: JsonObject, out: Sink): void;
  assistant(record: JsonObject, out: Sink): void;
  user(record: JsonObject, out: Sink): void;
}

export function createMessages(stream: Mapping, subagents: GrokSubagents): Messages {
  const blocks = createBlocks();
  /** By message: the call whose subagent sends it. */
  const authors = createRecent<string, string | undefined>();

  function authorOf(record: JsonObject, messageId: string | undefined): string | undefined {
    const own = asText(record["parent_tool_use_id"]);
    if (own !== undefined || messageId === undefined) return own;
    if (!authors.has(messageId)) authors.set(messageId, subagents.speaker);
    return authors.get(messageId);
  }

  /** Passes blocks of a message to the stream as an `assistant` record. */
  function forward(message: JsonObject, content: JsonValue[], record: JsonObject, out: Sink): void {
    const parentCallId = authorOf(record, asText(message["id"]));
    const assistant = { ...record, type: "assistant", message: { ...message, content } };
    stream.record({ ...assistant, parent_tool_use_id: parentCallId ?? null }, out);
    for (const value of content) {
      const { name, id, input } = asObject(value) ?? {};
      const callId = asText(id);
      if (name === spawnTool && callId !== undefined) subagents.started({ callId, input, parentCallId }, out);
    }
  }

  return {
    streamEvent(record, out) {
      const block = blocks.take(asObject(record["event"]) ?? {});
      const id = blocks.messageId;
      if (block !== undefined && id !== undefined) return forward({ id }, [block], record, out);
      const event = withoutZeros(asObject(record["event"]));
      stream.record(
        { ...record, ...(event && { event }), parent_tool_use_id: authorOf(record, id) ?? null },
        out,
      );
    },
    assistant(record, out) {
      const message = asObject(record["message"]);
      const content = asArray(message?.["content"]);
      if (message === undefined || content === undefined) return;
      const rest = blocks.rest(asText(message["id"]), content);
      if (rest.length === 0 && content.length > 0)
        return out.consume("assistant: its blocks were streamed one by one");
      forward(message, rest, record, out);
      if (blocks.messageId !== undefined) return;
      // Without partial messages only the whole message has the answer's tokens.
      const tokens = tokensOfStep(message["usage"]);
      const parentCallId = authorOf(record, asText(message["id"]));
      if (tokens?.totalTokens) out.emit({ type: "usage", parentCallId, ...tokens, scope: "step" });
    },
    user(record, out) {
      const [block] = asArray(asObject(record["message"])?.["content"]) ?? [];
      const call = out.call(asText(asObject(block)?.["tool_use_id"]) ?? "");
      const parentCallId = asText(record["parent_tool_use_id"]) ?? call?.parentCallId;
      stream.record({ ...record, parent_tool_use_id: parentCallId ?? null }, out);
    },
  };
}

/** An answer that is printed as several messages has its tokens in one of them, and zeros in the others. */
function withoutZeros(event: JsonObject | undefined): JsonObject | undefined {
  if (event?.["type"] !== "message_delta" || tokensOfStep(event["usage"])?.totalTokens !== 0)
    return undefined;
  const { usage: _usage, ...rest } = event;
  return rest;
}
