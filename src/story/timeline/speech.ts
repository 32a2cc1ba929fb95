import type { EventOf } from "../../events/event.js";
import { createOpenMessages } from "../open-messages.js";
import type { Item, MessageItem, ThinkingItem } from "./items.js";

/** What the agent, or one of its subagents, says and thinks. */
export interface Speech {
  add(event: EventOf<"text"> | EventOf<"agent"> | EventOf<"thinking">, common: Place): void;
  /** Something else happened: thinking from now on is another thought. */
  pause(): void;
}

type Place = { seq: number; time: number };

/**
 * Streamed pieces are one message, placed where it began; the whole message replaces them. Consecutive pieces of
 * thinking are one thought.
 */
export function createSpeech(items: Item[]): Speech {
  const open = createOpenMessages<MessageItem>();
  let thought: ThinkingItem | undefined;

  function addPiece(event: EventOf<"text">, common: Place): void {
    const begun = open.find(event.messageId);
    if (begun !== undefined) {
      begun.text += event.delta;
      return;
    }
    const item: MessageItem = {
      ...common,
      kind: "message",
      role: "assistant",
      text: event.delta,
      isCutOff: true,
    };
    items.push(item);
    open.add(event.messageId, item);
  }

  function addWhole(event: EventOf<"agent">, common: Place): void {
    const role = event.role ?? "assistant";
    const begun = role === "assistant" ? open.take(event.messageId) : undefined;
    if (begun === undefined) {
      items.push({ ...common, kind: "message", role, text: event.message, isCutOff: false });
      return;
    }
    begun.text = event.message;
    begun.isCutOff = false;
  }

  function addThought(event: EventOf<"thinking">, common: Place): void {
    if (event.delta !== undefined && thought !== undefined) {
      thought.text += event.delta;
      return;
    }
    const item: ThinkingItem = { ...common, kind: "thinking", text: event.delta ?? event.message ?? "" };
    items.push(item);
    thought = event.delta === undefined ? undefined : item;
  }

  return {
    add(event, common) {
      if (event.type === "thinking") {
        addThought(event, common);
        return;
      }
      thought = undefined;
      if (event.type === "text") addPiece(event, common);
      else addWhole(event, common);
    },
    pause() {
      thought = undefined;
    },
  };
}
