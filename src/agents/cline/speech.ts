import { asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { createMessageIds } from "../shared/message-ids.js";
import { createStreamedMessage } from "../shared/streamed-message.js";
import type { Author } from "./author.js";

/**
 * What the model says and thinks. Despite its name `content_start` is a delta; `content_end` restates the
 * whole. With reasoning, the end of the text comes before the end of the reasoning that preceded it.
 */
export interface Speech {
  text(delta: string, author: Author, out: Sink): void;
  textEnd(event: JsonObject, author: Author, out: Sink): void;
  reasoning(event: JsonObject, author: Author, out: Sink): void;
  reasoningEnd(event: JsonObject, author: Author, out: Sink): void;
  /** The stream is over: what the lead was saying is its last message. */
  flush(out: Sink): void;
}

export function createSpeech(): Speech {
  const ids = createMessageIds();
  const message = createStreamedMessage(ids);
  /** Whose reasoning has gone out in pieces since its last end, by the call that set them to work. */
  const streamed = new Set<string | undefined>();

  return {
    text(delta, { isLead, parentCallId }, out) {
      if (delta === "") return out.consume("content_start: empty");
      if (isLead) message.add(delta, out);
      else out.emit({ type: "text", parentCallId, delta, messageId: ids.current(speakerOf(parentCallId)) });
    },
    textEnd(event, { isLead, parentCallId }, out) {
      const whole = asText(event["text"]) ?? asText(event["content"]);
      if (whole === undefined) return out.consume("content_end: empty");
      if (isLead) message.complete(out, whole);
      else
        out.emit({
          type: "agent",
          parentCallId,
          message: whole,
          messageId: ids.end(speakerOf(parentCallId)),
        });
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
    flush: (out) => message.complete(out),
  };
}

/** The call that started a subagent is not always known. Its messages are still not the lead's. */
function speakerOf(parentCallId: string | undefined): string {
  return parentCallId ?? "a subagent";
}
