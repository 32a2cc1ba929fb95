import type { EventOf } from "../../events/event.js";
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
  /** Messages that were begun and are not complete. */
  const open: { item: MessageItem; messageId: string | undefined }[] = [];
  let thought: ThinkingItem | undefined;

  function addPiece(event: EventOf<"text">, common: Place): void {
    const last = open.at(-1);
    if (last !== undefined && last.messageId === event.messageId) {
      last.item.text += event.delta;
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
    open.push({ item, messageId: event.messageId });
  }

  function addWhole(event: EventOf<"agent">, common: Place): void {
    const role = event.role ?? "assistant";
    const begun = role === "assistant" ? takeBegun(event.message) : undefined;
    if (begun === undefined) {
      items.push({ ...common, kind: "message", role, text: event.message, isCutOff: false });
      return;
    }
    begun.text = event.message;
    begun.isCutOff = false;
  }

  /** The begun message that this one completes, else the first. */
  function takeBegun(message: string): MessageItem | undefined {
    const same = open.findIndex(({ item }) => message.startsWith(item.text));
    return open.splice(Math.max(0, same), 1)[0]?.item;
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
