import { asArray, asNumber, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";

/**
 * The blocks of streamed messages. Claude Code prints each block when it ends. Grok prints the whole message only when its calls
 * have ended. So each text and each call becomes an `assistant` record when it ends, and is left out of the whole message.
 */
export interface Blocks {
  /** An event of a message. Returns the block that it ends, if it is a text or a call. */
  take(event: JsonObject): JsonObject | undefined;
  /** The id of the message that is being streamed. */
  readonly messageId: string | undefined;
  /** The blocks of a whole message that were not returned before. */
  rest(messageId: string | undefined, content: readonly JsonValue[]): JsonValue[];
}

interface Streamed {
  block: JsonObject;
  pieces: string[];
}

export function createBlocks(): Blocks {
  let messageId: string | undefined;
  let open = new Map<number, Streamed>();
  /** What identifies the blocks that were returned. */
  let returned: { type: JsonValue | undefined; text?: JsonValue; id?: JsonValue }[] = [];

  return {
    get messageId() {
      return messageId;
    },
    take(event) {
      const index = asNumber(event["index"]) ?? -1;
      const streamed = open.get(index);
      switch (event["type"]) {
        case "message_start":
          messageId = asText(asObject(event["message"])?.["id"]);
          open = new Map();
          returned = [];
          return undefined;
        case "content_block_start":
          open.set(index, { block: asObject(event["content_block"]) ?? {}, pieces: [] });
          return undefined;
        case "content_block_delta":
          streamed?.pieces.push(pieceOf(event));
          return undefined;
        case "content_block_stop": {
          open.delete(index);
          const block = streamed && wholeBlock(streamed);
          if (block !== undefined) returned.push({ type: block["type"], ...identityOf(block) });
          return block;
        }
        default:
          return undefined;
      }
    },
    rest(id, content) {
      if (id !== messageId) return [...content];
      return content.filter((value) => {
        const block = asObject(value) ?? {};
        const { text, id: callId } = identityOf(block);
        return !returned.some(
          (known) => known.type === block["type"] && known.text === text && known.id === callId,
        );
      });
    },
  };
}

function identityOf(block: JsonObject): { text?: JsonValue; id?: JsonValue } {
  return { ...("text" in block && { text: block["text"] }), ...("id" in block && { id: block["id"] }) };
}

function pieceOf(event: JsonObject): string {
  const delta = asObject(event["delta"]) ?? {};
  return asText(delta["text"]) ?? asText(delta["partial_json"]) ?? "";
}

/** Undefined if it is another kind of block, or a call whose input is not whole. */
function wholeBlock({ block, pieces }: Streamed): JsonObject | undefined {
  const joined = pieces.join("");
  if (block["type"] === "text") return joined === "" ? undefined : { ...block, text: joined };
  if (block["type"] !== "tool_use" || asArray(block["id"]) !== undefined) return undefined;
  const input = joined === "" ? {} : parseJson(joined);
  return input === undefined ? undefined : { ...block, input };
}
