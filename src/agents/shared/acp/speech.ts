import type { Sink } from "../../contract.js";
import { createMessageIds } from "../message-ids.js";
import { withdrawnMessage } from "../withdrawn-text.js";

/**
 * What the model and its subagents say. Each chunk is emitted at once, and the whole message when something else follows: another
 * speaker, another message id, a call, or the end of the turn.
 */
export interface AcpSpeech {
  say(chunk: Chunk, out: Sink): void;
  think(delta: string, speaker: string | undefined, out: Sink): void;
  /** Something else follows: the message so far is complete. */
  flush(out: Sink): void;
  /** The model is asked again: the message so far does not count. */
  withdraw(out: Sink): void;
}

export interface Chunk {
  text: string;
  /** The agent's own id of the message. */
  messageId: string | undefined;
  /** The call of the subagent that speaks. */
  speaker: string | undefined;
}

export function createAcpSpeech(): AcpSpeech {
  const ids = createMessageIds();
  let pieces: string[] = [];
  let blank = "";
  let line = 0;
  let current: Pick<Chunk, "messageId" | "speaker"> = { messageId: undefined, speaker: undefined };

  function isOther({ messageId, speaker }: Chunk): boolean {
    return speaker !== current.speaker || messageId !== current.messageId;
  }

  function flush(out: Sink): void {
    const message = pieces.join("");
    const { messageId, speaker } = current;
    pieces = [];
    blank = "";
    if (message === "") return;
    if (speaker === undefined) out.run.text = message;
    const id = messageId ?? ids.end(speaker);
    out.emit({ type: "agent", message, messageId: id, parentCallId: speaker, line });
  }

  return {
    say(chunk, out) {
      if (isOther(chunk)) flush(out);
      current = { messageId: chunk.messageId, speaker: chunk.speaker };
      // Blank chunks before the first word wait for it.
      if (pieces.length === 0 && chunk.text.trim() === "") {
        blank += chunk.text;
        return out.consume("agent_message_chunk: blank before the first word");
      }
      const delta = blank + chunk.text;
      blank = "";
      pieces.push(delta);
      line = out.lineNumber;
      const messageId = chunk.messageId ?? ids.current(chunk.speaker);
      out.emit({ type: "text", delta, messageId, parentCallId: chunk.speaker });
    },
    think(delta, speaker, out) {
      flush(out);
      if (delta === "") return out.consume("agent_thought_chunk: empty");
      out.emit({ type: "thinking", delta, parentCallId: speaker });
    },
    flush,
    withdraw(out) {
      if (pieces.length === 0) return;
      pieces = [];
      blank = "";
      ids.begin(current.speaker);
      out.emit({
        type: "warning",
        code: "text_withdrawn",
        message: withdrawnMessage,
        parentCallId: current.speaker,
      });
    },
  };
}
