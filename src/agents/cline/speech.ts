import { asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { createMessageIds } from "../shared/message-ids.js";
import { createStreamedMessage } from "../shared/streamed-message.js";
import type { Author } from "./author.js";

/**
 * Text and reasoning of the model. Despite its name, `content_start` is a delta. `content_end` restates the whole.
 * With reasoning, the end of the text comes before the end of the reasoning that preceded it.
 */
export interface Speech {
  text(delta: string, author: Author, out: Sink): void;
  textEnd(event: JsonObject, author: Author, out: Sink): void;
  reasoning(event: JsonObject, author: Author, out: Sink): void;
  reasoningEnd(event: JsonObject, author: Author, out: Sink): void;
  /** The stream has ended: open messages are complete. */
  flush(out: Sink): void;
}

export function createSpeech(): Speech {
  const ids = createMessageIds();
  const message = createStreamedMessage(ids);
  /** Agents whose reasoning was emitted in pieces since its last end, by the call that started them. */
  const streamed = new Set<string | undefined>();

  /** What subagents have said of their open messages. */
  const said = new Map<string, { text: string; parentCallId: string | undefined }>();

  function add(delta: string, { isLead, parentCallId }: Author, out: Sink): void {
    if (isLead) return message.add(delta, out);
    const speaker = speakerOf(parentCallId);
    said.set(speaker, { text: (said.get(speaker)?.text ?? "") + delta, parentCallId });
    out.emit({ type: "text", parentCallId, delta, messageId: ids.current(speaker) });
  }

  function end(whole: string, parentCallId: string | undefined, out: Sink): void {
    const speaker = speakerOf(parentCallId);
    said.delete(speaker);
    out.emit({ type: "agent", parentCallId, message: whole, messageId: ids.end(speaker) });
  }

  return {
    text(delta, author, out) {
      if (delta === "") return out.consume("content_start: empty");
      add(delta, author, out);
    },
    /** If another agent began to speak in the middle, later pieces were held back, and only the end has them. */
    textEnd(event, author, out) {
      const whole = asText(event["text"]) ?? asText(event["content"]);
      if (whole === undefined) return out.consume("content_end: empty");
      const { isLead, parentCallId } = author;
      const before = isLead ? message.text() : (said.get(speakerOf(parentCallId))?.text ?? "");
      if (before !== "" && before.length < whole.length && whole.startsWith(before))
        add(whole.slice(before.length), author, out);
      if (isLead) message.complete(out, whole);
      else end(whole, parentCallId, out);
    },
    reasoning(event, { parentCallId }, out) {
      const delta = asText(event["reasoning"]) ?? asText(event["text"]);
      if (delta === undefined) return out.consume("content_start: reasoning that is empty or redacted");
      streamed.add(parentCallId);
      out.emit({ type: "thinking", parentCallId, delta });
    },
    reasoningEnd(event, { parentCallId }, out) {
      const whole = asText(event["reasoning"]) ?? asText(event["text"]);
      if (streamed.delete(parentCallId) || whole === undefined) {
        return out.consume("content_end: reasoning that is empty or was streamed in pieces");
      }
      out.emit({ type: "thinking", parentCallId, message: whole });
    },
    flush(out) {
      message.complete(out);
      for (const { text, parentCallId } of said.values()) end(text, parentCallId, out);
    },
  };
}

/** The call that started a subagent is not always known. Its messages are still not the lead's. */
function speakerOf(parentCallId: string | undefined): string {
  return parentCallId ?? "a subagent";
}
