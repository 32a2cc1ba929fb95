import type { Sink } from "../contract.js";
import type { MessageIds } from "../shared/message-ids.js";
import { emitUpdate, type Update } from "./updates.js";

/** The answer that Pi is printing: its pieces, and the whole message when it ends or is cut off. */
export interface OpenAnswer {
  /** `message_start`. An answer that is still open has no end of its own. */
  begin(out: Sink): void;
  update(update: Update, out: Sink): void;
  /** `message_end` restates the text. If it has no text, the pieces are the message. */
  end(text: string, out: Sink): void;
  /** No end follows, so the pieces so far are the message. */
  cut(out: Sink): void;
  /** True if the model's reasoning came in pieces. */
  hasThinking(): boolean;
}

export function createOpenAnswer(ids: MessageIds): OpenAnswer {
  let pieces: string[] = [];
  /** The line of the last piece. */
  let line = 0;
  let hasThinking = false;

  function say(message: string, out: Sink, at?: number): void {
    pieces = [];
    if (message === "") return;
    out.run.text = message;
    out.emit({ type: "agent", message, messageId: ids.end(), line: at });
  }

  function cut(out: Sink): void {
    say(pieces.join(""), out, line);
  }

  return {
    begin(out) {
      cut(out);
      ids.begin();
      hasThinking = false;
    },
    update(update, out) {
      if (update.delta && update.type === "thinking_delta") hasThinking = true;
      if (update.delta && update.type === "text_delta") {
        pieces.push(update.delta);
        line = out.lineNumber;
      }
      emitUpdate(update, ids.current(), out);
    },
    end(text, out) {
      if (text === "") cut(out);
      else say(text, out);
      hasThinking = false;
    },
    cut,
    hasThinking: () => hasThinking,
  };
}
