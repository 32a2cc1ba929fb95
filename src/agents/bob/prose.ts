import { asFlag } from "../../text/fields.js";
import type { Sink } from "../contract.js";
import type { Prose } from "../shared/gemini-stream/dialect.js";
import type { StreamedMessage } from "../shared/streamed-message.js";
import { createTaggedProse, type ProsePart } from "./tagged-prose.js";

/**
 * What Bob says. 2.x marks reasoning (`isReasoning`); 1.x, whose pieces have `delta`, has tags for it in
 * the text.
 */
export function createBobProse(): Prose {
  const tagged = createTaggedProse();

  function emitParts(parts: readonly ProsePart[], message: StreamedMessage, out: Sink): void {
    for (const { kind, text } of parts) {
      if (kind === "text") message.add(text, out);
      else if (kind === "thinking") out.emit({ type: "thinking", delta: text });
      else out.consume("message: the echo of a tool call");
    }
  }

  return {
    take(record, content, message, out) {
      if (asFlag(record["isReasoning"]) === true) return out.emit({ type: "thinking", delta: content });
      if (asFlag(record["delta"]) !== true) return message.add(content, out);
      const parts = tagged.take(content);
      if (parts.length === 0) return out.consume("message: a tag, or what may be the beginning of one");
      emitParts(parts, message, out);
    },
    end: (message, out) => emitParts(tagged.end(), message, out),
  };
}
