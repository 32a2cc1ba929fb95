/** Lines of text as messages of an event stream, one message for each line that is not empty. */
export interface Frames {
  /** Some of the text, cut anywhere. */
  push(text: string): string;
  /** The text ends here for now. The last message, and it alone, gets the id: whoever has seen it has seen all of them. */
  end(id: number): string;
}

/**
 * A carriage return ends a line as well: readers of event streams take it for a line break, and what follows it would be
 * fields that an agent could choose.
 */
export function createFrames(): Frames {
  /** `in`: in the middle of a line. `behind`: behind a line whose message is not closed yet. */
  let state: "out" | "in" | "behind" = "out";

  function begin(): string {
    if (state === "in") return "";
    const closing = state === "behind" ? "\n\n" : "";
    state = "in";
    return `${closing}data: `;
  }

  return {
    push(text) {
      let framed = "";
      const [first = "", ...rest] = text.split(/[\r\n]/);
      if (first !== "") framed += begin() + first;
      for (const line of rest) {
        if (state === "in") state = "behind";
        if (line !== "") framed += begin() + line;
      }
      return framed;
    },
    end(id) {
      const closing = state === "out" ? "" : `\nid: ${id}\n\n`;
      state = "out";
      return closing;
    },
  };
}
