import type { EventOf } from "../vocabulary/event.js";
import { marks } from "./deed-line.js";
import type { Page } from "./page.js";

const maxRows = 10;
/** Agents print the same warning for every request; it is shown once. */
const maxRemembered = 1000;

/** Warnings and errors. */
export interface Notices {
  /** True when it is worth a row; it is counted otherwise. */
  isNews(event: EventOf<"warning">): boolean;
  write(event: EventOf<"warning"> | EventOf<"error">, depth: number): void;
  readonly hidden: number;
}

export function createNotices(page: Page): Notices {
  const shown = new Set<string>();
  let hidden = 0;
  return {
    isNews({ message }) {
      if (shown.has(message)) {
        hidden += 1;
        return false;
      }
      if (shown.size < maxRemembered) shown.add(message);
      return true;
    },
    write({ type, message }, depth) {
      const style = type === "error" ? "failure" : "warning";
      // What begins with white space goes on with the line before: a stack trace on standard error.
      const mark = type === "warning" && /^\s/.test(message) ? { text: " " } : marks[style];
      page.paragraph({ text: message, style: mark.text === " " ? "dim" : style, mark, depth, maxRows });
    },
    get hidden() {
      return hidden;
    },
  };
}
