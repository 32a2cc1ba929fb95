import type { EventOf } from "../../events/event.js";
import type { Style } from "./line.js";
import type { Page } from "./page.js";

/** What subagents say, in whole messages: several may speak at the same time. */
export interface Reports {
  add(event: EventOf<"text"> | EventOf<"agent">, parentCallId: string): void;
  addThought(event: EventOf<"thinking">, parentCallId: string): void;
  /** The run ends: shows what was streamed of messages that were never completed. */
  end(): void;
}

/** The main agent repeats what matters; the recording has all of it. */
const maxRows = 8;

export function createReports(page: Page, begin: (parentCallId: string) => number): Reports {
  const streamed = new Map<string, string>();

  function write(text: string, parentCallId: string, style?: Style): void {
    if (text.trim() === "") return;
    page.paragraph({ text: text.trim(), style, depth: begin(parentCallId), maxRows });
  }

  return {
    add(event, parentCallId) {
      if (event.type === "text") {
        streamed.set(parentCallId, (streamed.get(parentCallId) ?? "") + event.delta);
        return;
      }
      streamed.delete(parentCallId);
      write(event.message, parentCallId);
    },
    addThought({ message = "" }, parentCallId) {
      write(message, parentCallId, "dim");
    },
    end() {
      for (const [parentCallId, text] of streamed) write(text, parentCallId);
      streamed.clear();
    },
  };
}
