/**
 * Remembers which words of the answer have gone out as deltas, so that the whole message, which
 * follows them, is not said twice. Whitespace does not count: agents differ in how they join the
 * blocks of a message.
 */
export interface StreamedText {
  add(delta: string): void;
  /**
   * What of a whole message is still to be said: nothing when its deltas told it all, its end when they
   * were cut off, all of it when they were not its own (a stream that broke and was begun anew).
   */
  rest(message: string): string;
}

export function createStreamedText(): StreamedText {
  let streamed = "";
  return {
    add(delta) {
      streamed += delta;
    },
    rest(message) {
      if (streamed === "") return message;
      const said = withoutWhitespace(streamed);
      const whole = withoutWhitespace(message);
      const at = said.indexOf(whole);
      streamed = at === -1 ? "" : said.slice(at + whole.length);
      if (at !== -1) return "";
      return whole.startsWith(said) ? message.slice(lengthOf(said.length, message)) : message;
    },
  };
}

function withoutWhitespace(text: string): string {
  return text.replace(/\s+/g, "");
}

/** How long the beginning of a text is that has so many units besides whitespace. */
function lengthOf(units: number, text: string): number {
  let length = 0;
  for (let counted = 0; counted < units; length += 1) if (!isWhitespace(text, length)) counted += 1;
  return length;
}

function isWhitespace(text: string, index: number): boolean {
  return /\s/.test(text.charAt(index));
}
