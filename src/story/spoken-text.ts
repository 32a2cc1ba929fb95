import type { EventOf } from "../events/event.js";
import { createOpenMessages } from "./open-messages.js";

/**
 * Remembers the text of the main agent that was streamed as deltas, so that the whole message, which follows
 * them, is not shown twice.
 */
export interface SpokenText {
  add(piece: Pick<EventOf<"text">, "delta" | "messageId">): void;
  /**
   * The part of a whole message that was not streamed: nothing if its pieces are complete, its end if they were cut
   * off, all of it if it had no pieces.
   */
  rest(whole: Pick<EventOf<"agent">, "message" | "messageId">): string;
}

export function createSpokenText(): SpokenText {
  const open = createOpenMessages<{ text: string }>();
  return {
    add({ messageId, delta }) {
      const begun = open.find(messageId);
      if (begun === undefined) open.add(messageId, { text: delta });
      else begun.text += delta;
    },
    rest({ messageId, message }) {
      const begun = open.take(messageId);
      if (begun === undefined) return message;
      const streamed = begun.text.trimStart();
      const whole = message.trim();
      const at = streamed.indexOf(whole);
      if (at === -1) return unsaidOf(message.trimStart(), streamed) ?? message;
      // Some messages are reported block by block, after the pieces of them all.
      const next = streamed.slice(at + whole.length);
      if (next.trim() !== "") open.add(messageId, { text: next });
      return "";
    },
  };
}

/** The end of a message whose pieces were cut off; undefined if they were not its beginning. */
function unsaidOf(message: string, streamed: string): string | undefined {
  return message.startsWith(streamed) ? message.slice(streamed.length) : undefined;
}
