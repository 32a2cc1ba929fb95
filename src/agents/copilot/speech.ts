import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { createRecent } from "../../text/recent.js";
import type { Sink } from "../contract.js";

/** What the model says and thinks. Several agents can speak at once: `speaker` is the call that started a subagent. */
export interface Speech {
  delta(record: JsonObject, speaker: string | undefined, out: Sink): void;
  message(record: JsonObject, speaker: string | undefined, out: Sink): void;
  reasoningDelta(record: JsonObject, speaker: string | undefined, out: Sink): void;
  reasoning(record: JsonObject, speaker: string | undefined, out: Sink): void;
  /** The speaker's answer was cut and is asked for again. True if a part of it was already emitted. */
  withdraw(speaker: string | undefined): boolean;
  /** The speaker says nothing more. The pieces of a message without an end are the whole message. */
  close(speaker: string | undefined, out: Sink): void;
  /** The same for every speaker. */
  closeAll(out: Sink): void;
}

interface OpenMessage {
  messageId: string;
  speaker: string | undefined;
  text: string;
  line: number;
}

/**
 * The whole message repeats its pieces under the same id. An answer that was cut has no whole message. If Copilot asks for it
 * again (`assistant.turn_retry`), it is withdrawn. If it was too long for the model, Copilot goes on (1.0.102).
 */
export function createSpeech(): Speech {
  const open = new Map<string, OpenMessage>();
  /** The ids of reasoning that was emitted. */
  const reasoned = createRecent<string>();
  /** Speakers whose reasoning came in pieces since their last message. */
  const thinking = new Set<string | undefined>();
  /** By speaker: the reasoning that was emitted with a message. Its own record will repeat it. */
  const restated = new Map<string | undefined, string>();

  function complete(message: OpenMessage, out: Sink): void {
    open.delete(message.messageId);
    if (message.text.trim() === "") return;
    const { messageId, speaker, text, line } = message;
    if (speaker === undefined) out.run.text = text;
    out.emit({ type: "agent", message: text, messageId, parentCallId: speaker, line });
  }

  function openOf(speaker: string | undefined): OpenMessage[] {
    return [...open.values()].filter((message) => message.speaker === speaker);
  }

  return {
    delta(record, speaker, out) {
      const data = asObject(record["data"]) ?? {};
      const messageId = asText(data["messageId"]);
      const delta = data["deltaContent"];
      if (messageId === undefined || typeof delta !== "string") return;
      if (delta === "") return out.consume("assistant.message_delta: empty");
      const text = (open.get(messageId)?.text ?? "") + delta;
      open.set(messageId, { messageId, speaker, text, line: out.lineNumber });
      out.emit({ type: "text", delta, messageId, parentCallId: speaker });
    },
    message(record, speaker, out) {
      const data = asObject(record["data"]) ?? {};
      const messageId = asText(data["messageId"]);
      const content = data["content"];
      if (typeof content !== "string") return;
      const thought = asText(data["reasoningText"]);
      if (thought !== undefined && !thinking.has(speaker)) {
        restated.set(speaker, thought);
        out.emit({ type: "thinking", message: thought, parentCallId: speaker });
      }
      thinking.delete(speaker);
      if (messageId !== undefined) open.delete(messageId);
      if (content.trim() === "") return out.consume("assistant.message: only calls");
      if (speaker === undefined) out.run.text = content;
      out.emit({ type: "agent", message: content, messageId, parentCallId: speaker });
    },
    reasoningDelta(record, speaker, out) {
      const data = asObject(record["data"]) ?? {};
      const delta = data["deltaContent"];
      if (typeof delta !== "string") return;
      if (delta === "") return out.consume("assistant.reasoning_delta: empty");
      reasoned.set(asText(data["reasoningId"]) ?? "", true);
      thinking.add(speaker);
      out.emit({ type: "thinking", delta, parentCallId: speaker });
    },
    reasoning(record, speaker, out) {
      const data = asObject(record["data"]) ?? {};
      const message = asText(data["content"]);
      if (message === undefined) return;
      if (message === restated.get(speaker) || reasoned.has(asText(data["reasoningId"]) ?? ""))
        return out.consume("assistant.reasoning: already emitted");
      out.emit({ type: "thinking", message, parentCallId: speaker });
    },
    withdraw(speaker) {
      const cut = openOf(speaker);
      for (const { messageId } of cut) open.delete(messageId);
      thinking.delete(speaker);
      return cut.length > 0;
    },
    close(speaker, out) {
      for (const message of openOf(speaker)) complete(message, out);
    },
    closeAll(out) {
      for (const message of [...open.values()]) complete(message, out);
    },
  };
}
