import type { Sink } from "../contract.js";
import { createMessageIds, type MessageIds } from "./message-ids.js";

/**
 * A message that arrives in pieces: each piece goes out at once as `text`, the whole once as `agent`,
 * when something else follows. Blank pieces before the first word wait for it, so that the padding around
 * tags and tool calls is not a message.
 */
export interface StreamedMessage {
  /** `messageId`: the agent's own id of the message. Left out: the message gets one. */
  add(delta: string, out: Sink, messageId?: string): void;
  /** What has been said of the message at hand. */
  readonly text: string;
  /** The message is complete; nothing when nothing was said. `whole` when the agent restates it in full. */
  complete(out: Sink, whole?: string): void;
}

export function createStreamedMessage(ids: MessageIds = createMessageIds()): StreamedMessage {
  let pieces: string[] = [];
  let blank = "";
  let line = 0;
  /** The agent's own id of the message at hand. */
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
    get text() {
      return pieces.join("");
    },
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
