import type { Key } from "node:readline";

/** Ctrl-R: looks for an earlier prompt that contains what is typed. */
export interface HistorySearch {
  /** What is looked for. Undefined: nothing is. */
  readonly query: string | undefined;
  readonly found: string;
  /** Begins, or goes on to the next older one. */
  next(): void;
  /** A key while something is looked for. `taken`: the line is what was found. `left`: it is what it was. */
  key(text: string | undefined, key: Key): "looking" | "taken" | "left";
}

/** `entries`: newest first. */
export function createHistorySearch(entries: () => readonly string[]): HistorySearch {
  let query: string | undefined;
  let index = -1;
  const isMatch = (entry: string): boolean => entry.toLowerCase().includes((query ?? "").toLowerCase());

  /** The first one that matches from here on. If there is none, what was found stays. */
  function look(from: number): void {
    const at = entries().findIndex((entry, place) => place >= from && isMatch(entry));
    if (at !== -1) index = at;
  }

  function change(text: string): void {
    query = text;
    index = -1;
    if (text !== "") look(0);
  }

  return {
    get query() {
      return query;
    },
    get found() {
      return entries()[index] ?? "";
    },
    next() {
      if (query === undefined) change("");
      else look(index + 1);
    },
    key(text, { name = "", ctrl, meta }) {
      if (name === "backspace") change((query ?? "").slice(0, -1));
      else if (!ctrl && !meta && text !== undefined && !/[\u0000-\u001f\u007f]/.test(text))
        change((query ?? "") + text);
      else {
        const isLeft = name === "escape" || (ctrl && (name === "c" || name === "g"));
        query = undefined;
        return isLeft ? "left" : "taken";
      }
      return "looking";
    },
  };
}
