import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { withdrawnMessage } from "../../shared/withdrawn-text.js";
import type { Speaker } from "./threads.js";

type Known = Exclude<Speaker, "other">;

/** Messages and reasoning that arrive in pieces. The whole message follows as its completed item. */
export interface CodexSpeech {
  /** A piece of a message. */
  text(params: JsonObject, speaker: Known, out: Sink): void;
  /** A piece of reasoning. */
  thinking(params: JsonObject, speaker: Known, out: Sink): void;
  /** A message of the speaker begins. One that is still open was cut: Codex asks the model again. */
  begun(speaker: Known, out: Sink): void;
  /** The message is whole. */
  completed(speaker: Known): void;
  /** The reasoning was emitted in pieces. */
  hasThought(itemId: string | undefined): boolean;
  /** The turn has ended: what was said of an open message is all there is of it. */
  cut(speaker: Known, out: Sink): void;
}

export function createCodexSpeech(): CodexSpeech {
  /** The open message of each thread. */
  const open = new Map<string, { text: string; messageId: string | undefined; line: number }>();
  const thoughts = new Set<string>();

  return {
    text(params, { threadId, parentCallId }, out) {
      const delta = asText(params["delta"]);
      if (delta === undefined) return out.consume("delta: empty");
      const messageId = asText(params["itemId"]);
      const before = open.get(threadId)?.text ?? "";
      open.set(threadId, { text: before + delta, messageId, line: out.lineNumber });
      out.emit({ type: "text", delta, messageId, parentCallId });
    },
    thinking(params, { parentCallId }, out) {
      const delta = asText(params["delta"]);
      if (delta === undefined) return out.consume("delta: empty");
      thoughts.add(asText(params["itemId"]) ?? "");
      out.emit({ type: "thinking", delta, parentCallId });
    },
    begun({ threadId, parentCallId }, out) {
      if (!open.delete(threadId)) return;
      out.emit({ type: "warning", message: withdrawnMessage, code: "text_withdrawn", parentCallId });
    },
    completed({ threadId }) {
      open.delete(threadId);
    },
    hasThought: (itemId) => itemId !== undefined && thoughts.has(itemId),
    cut({ threadId, parentCallId }, out) {
      const message = open.get(threadId);
      open.delete(threadId);
      if (message === undefined || message.text.trim() === "") return;
      if (parentCallId === undefined) out.run.text = message.text;
      const { text, messageId, line } = message;
      out.emit({ type: "agent", message: text, messageId, parentCallId, line });
    },
  };
}
