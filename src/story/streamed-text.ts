/**
 * Remembers the text that was streamed as deltas, so that the whole message, which follows them, is
 * not shown twice. White space does not count: agents differ in how they join the blocks of a message.
 */
export interface StreamedText {
  add(delta: string): void;
  /**
   * The part of a whole message that was not streamed: nothing if its deltas are complete, its end if they were cut off,
   * all of it if the deltas belong to something else (a stream that broke and started again).
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

/** The length of the beginning of a text that holds so many units besides white space. */
function lengthOf(units: number, text: string): number {
  let length = 0;
  for (let counted = 0; counted < units; length += 1) if (!isWhitespace(text, length)) counted += 1;
  return length;
}

function isWhitespace(text: string, index: number): boolean {
  return /\s/.test(text.charAt(index));
}
