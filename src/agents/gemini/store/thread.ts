import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { callsIn, textOf, thoughtsIn } from "./messages.js";

/** What the main agent or a subagent says and does. */
export interface Thread {
  /** An answer of the model, which may be written again with more in it. */
  message(record: JsonObject, out: Sink): void;
  /** This is the latest answer, so it may have more calls. */
  isOpen(record: JsonObject): boolean;
  /** The latest answer is the end of its turn. One without words and without calls was cut: calls are written when they are over. */
  isComplete: boolean;
}

export interface ThreadParts {
  /** The call that started the subagent. */
  parentCallId(): string | undefined;
  /** True the first time that a message with this id comes. */
  isNew(id: string): boolean;
  /** Counts the tokens of an answer. False if it has none yet. */
  spend(record: JsonObject, parentCallId: string | undefined, out: Sink): boolean;
  called(call: JsonObject, parentCallId: string | undefined, out: Sink): void;
}

export function createThread({ parentCallId, isNew, spend, called }: ThreadParts): Thread {
  let current: { id: string; hasTokens: boolean; calls: Set<string> } | undefined;

  function say(record: JsonObject, out: Sink): void {
    const parent = parentCallId();
    const model = asText(record["model"]);
    if (parent === undefined) {
      out.run.failure = undefined;
      if (model !== undefined) out.session({ model });
    }
    for (const message of thoughtsIn(record)) out.emit({ type: "thinking", message, parentCallId: parent });
    const message = textOf(record["content"]);
    thread.isComplete = message !== undefined;
    if (message === undefined || message.trim() === "") return;
    if (parent === undefined) out.run.text = message;
    out.emit({ type: "agent", message, messageId: asText(record["id"]), parentCallId: parent });
  }

  const thread: Thread = {
    message(record, out) {
      const id = asText(record["id"]) ?? `line-${out.lineNumber}`;
      out.consume("gemini: nothing new");
      if (current?.id !== id) {
        if (!isNew(id)) return;
        current = { id, hasTokens: false, calls: new Set() };
        say(record, out);
      }
      if (!current.hasTokens) current.hasTokens = spend(record, parentCallId(), out);
      for (const call of callsIn(record)) {
        const callId = asText(call["id"]) ?? "";
        if (current.calls.has(callId)) continue;
        current.calls.add(callId);
        thread.isComplete = false;
        called(call, parentCallId(), out);
      }
    },
    isOpen: (record) => current !== undefined && asText(record["id"]) === current.id,
    isComplete: false,
  };
  return thread;
}
