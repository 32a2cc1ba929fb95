import type { EventOf } from "../../events/event.js";
import { marks } from "./deed-line.js";
import type { Page } from "./page.js";

const maxRows = 10;
/** Agents print the same warning for every request; it is shown once. */
const maxRemembered = 1000;

/** Warnings and errors. */
export interface Notices {
  /** True if it is worth a row. A warning that was shown before is only counted. */
  isNews(event: EventOf<"warning"> | EventOf<"error">): boolean;
  write(event: EventOf<"warning"> | EventOf<"error">, depth: number): void;
  /** True if the latest notice had these words. */
  isShown(message: string | undefined): boolean;
  /** The same, and nothing else was written since. */
  isLast(message: string | undefined): boolean;
  readonly hidden: number;
}

export function createNotices(page: Page): Notices {
  const shown = new Set<string>();
  let hidden = 0;
  let latest = "";
  let writtenBy = 0;
  const isShown = (message: string | undefined): boolean => message !== undefined && latest.includes(message);
  return {
    isNews({ type, message }) {
      // Some agents print an error on standard error as well as in their stream.
      if (type === "error") return !latest.includes(message);
      if (shown.has(message)) {
        hidden += 1;
        return false;
      }
      if (shown.size < maxRemembered) shown.add(message);
      return true;
    },
    write({ type, message }, depth) {
      latest = message;
      const style = type === "error" ? "failure" : "warning";
      // A line that begins with white space continues the line before, as in a stack trace.
      const mark = type === "warning" && /^\s/.test(message) ? { text: " " } : marks[style];
      page.paragraph({ text: message, style: mark.text === " " ? "dim" : style, mark, depth, maxRows });
      writtenBy = page.count;
    },
    isShown,
    isLast: (message) => isShown(message) && page.count === writtenBy,
    get hidden() {
      return hidden;
    },
  };
}
