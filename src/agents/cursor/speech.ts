import { asArray, asObject } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { withoutWhiteSpace } from "../../text/white-space.js";
import type { Sink } from "../contract.js";
import { createStreamedMessage } from "../shared/streamed-message.js";

/**
 * `assistant` records. With `--stream-partial-output` they are pieces, followed by the whole message before a tool
 * call or at the end. Without it they are whole segments. A record that repeats the pieces since the last message
 * completes them.
 */
export interface Speech {
  assistant(record: JsonObject, out: Sink): void;
  /** Something else begins: the open message is complete. */
  end(out: Sink): void;
}

export function createSpeech(): Speech {
  const message = createStreamedMessage();
  /** The last whole message. Undefined once something else has followed it. */
  let last: string | undefined;
  const all = createAllMessages();

  function complete(out: Sink, whole?: string): void {
    const text = whole ?? message.text();
    if (text !== "") all.add(text);
    message.complete(out, whole);
  }

  return {
    assistant(record, out) {
      const text = textOf(record);
      if (text === undefined) return;
      if (record["timestamp_ms"] !== undefined && record["model_call_id"] === undefined) {
        last = undefined;
        return text === "" ? out.consume("assistant: empty") : message.add(text, out);
      }
      if (text === last || text.trim() === "") return out.consume("assistant: blank, or the message again");
      const isRestated = message.text().trim().endsWith(text.trim());
      complete(out);
      if (isRestated || all.isSame(text)) out.consume("assistant: the messages again");
      else complete(out, text);
      last = text;
    },
    end(out) {
      complete(out);
      last = undefined;
    },
  };
}

/** So much of the beginning of all messages is remembered. */
const mostRemembered = 100_000;

/**
 * All whole messages. The last record can repeat all of them, joined. Texts that are longer than what is remembered are the
 * same if they begin in the same way and are equally long.
 */
function createAllMessages() {
  let beginning = "";
  let length = 0;
  let count = 0;
  return {
    add(text: string): void {
      const words = withoutWhiteSpace(text);
      if (beginning.length < mostRemembered) beginning += words.slice(0, mostRemembered - beginning.length);
      length += words.length;
      count += 1;
    },
    isSame(text: string): boolean {
      // White space makes a text longer, so most texts need not be compared.
      if (count < 2 || text.length < length) return false;
      const words = withoutWhiteSpace(text);
      return words.length === length && words.startsWith(beginning);
    },
  };
}

/** The text blocks of a message, joined. Undefined without content, or if it has other blocks too. */
function textOf(record: JsonObject): string | undefined {
  const blocks = asArray(asObject(record["message"])?.["content"])?.map(asObject);
  if (blocks === undefined) return undefined;
  const texts = blocks.flatMap((block) =>
    block?.["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
  );
  return texts.length === blocks.length ? texts.join("") : undefined;
}
