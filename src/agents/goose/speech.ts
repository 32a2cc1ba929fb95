import type { Sink } from "../contract.js";
import { createStreamedMessage } from "../shared/streamed-message.js";

/**
 * What the model says and thinks. The records of a message share its id. Each piece is emitted at once, and the
 * whole text when something else follows.
 */
export interface Speech {
  say(words: Words, out: Sink): void;
  think(words: Words, out: Sink): void;
  /** Something else follows: the message so far is complete. */
  flush(out: Sink): void;
}

export interface Words {
  text: string;
  messageId: string | undefined;
  /** It is certainly a piece, as all are in 1.52. Otherwise it may restate the message so far. */
  isPiece: boolean;
}

export function createSpeech(): Speech {
  const message = createStreamedMessage();
  const unsaid = createUnsaid();
  const unthought = createUnsaid();
  let speaking: string | undefined;

  function flush(out: Sink): void {
    message.complete(out);
    unsaid.reset();
  }

  return {
    say(words, out) {
      if (words.messageId !== speaking) flush(out);
      speaking = words.messageId;
      unthought.reset();
      const delta = unsaid.part(words);
      if (delta === "") return out.consume("text: nothing new");
      message.add(delta, out, words.messageId);
    },
    think(words, out) {
      flush(out);
      const delta = unthought.part(words);
      if (delta === "") return out.consume("thinking: nothing new");
      out.emit({ type: "thinking", delta });
    },
    flush(out) {
      flush(out);
      unthought.reset();
    },
  };
}

/**
 * The part of a record that is new. Older versions may repeat the text so far in each record. A record that does not begin
 * with it shows that the stream consists of pieces, and then nothing is compared any more.
 */
function createUnsaid(): { part(words: Words): string; reset(): void } {
  let said = "";
  let isOfPieces = false;
  return {
    part({ text, isPiece }) {
      if (isPiece || isOfPieces) return text;
      if (!text.startsWith(said)) {
        isOfPieces = true;
        return text;
      }
      const part = text.slice(said.length);
      said = text;
      return part;
    },
    reset() {
      said = "";
    },
  };
}
