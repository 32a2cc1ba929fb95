import type { Sink } from "../contract.js";
import { createMessageIds, type MessageIds } from "./message-ids.js";

/**
 * A message that arrives in pieces. Each piece is emitted at once as `text`, and the whole message once as `agent`, when
 * something else follows. Blank pieces before the first word wait for it, so that the padding around tags and tool
 * calls does not become a message.
 */
export interface StreamedMessage {
  /** `messageId`: the agent's own id of the message. Left out: the message gets one. */
  add(delta: string, out: Sink, messageId?: string): void;
  /** The current message so far. */
  text(): string;
  /** The message is complete. Emits nothing if it is empty. `whole`: the text, if the agent restates it in full. */
  complete(out: Sink, whole?: string): void;
}

export function createStreamedMessage(ids: MessageIds = createMessageIds()): StreamedMessage {
  let pieces: string[] = [];
  let blank = "";
  let line = 0;
  /** The agent's own id of the current message. */
  let ownId: string | undefined;

  return {
    add(delta, out, messageId) {
      if (pieces.length === 0 && delta.trim() === "") {
        blank += delta;
        return out.consume("text: blank before the first word");
      }
      const piece = blank + delta;
      blank = "";
      pieces.push(piece);
      line = out.lineNumber;
      ownId = messageId;
      out.emit({ type: "text", delta: piece, messageId: ownId ?? ids.current() });
    },
    text: () => pieces.join(""),
    complete(out, whole) {
      const message = whole ?? pieces.join("");
      const said = pieces.length > 0;
      const messageId = ownId;
      pieces = [];
      blank = "";
      ownId = undefined;
      if (message === "") return;
      out.run.text = message;
      out.emit({
        type: "agent",
        message,
        messageId: messageId ?? ids.end(),
        line: said && whole === undefined ? line : undefined,
      });
    },
  };
}
