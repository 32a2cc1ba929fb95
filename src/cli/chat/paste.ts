/** What a terminal sent: keys, and texts that were pasted as a whole. */
export type Input = { keys: string } | { pasted: string };

export interface PasteReader {
  /** Splits what has arrived. The end of a paste may come much later. */
  push(text: string): Input[];
}

const begin = "\u001b[200~";
const end = "\u001b[201~";
/** A terminal that never ends a paste must not fill the memory. */
const longestPaste = 16 * 1024 * 1024;

/** Bracketed paste: what stands between the two marks is text, whatever keys it looks like. */
export function createPasteReader(): PasteReader {
  let rest = "";
  let isPasting = false;

  return {
    push(text) {
      rest += text;
      const found: Input[] = [];
      for (;;) {
        const mark = isPasting ? end : begin;
        const at = rest.indexOf(mark);
        if (at === -1) break;
        add(found, isPasting, rest.slice(0, at));
        rest = rest.slice(at + mark.length);
        isPasting = !isPasting;
      }
      if (isPasting && rest.length < longestPaste) return found;
      // The beginning of a mark waits for the rest of it. A lone escape is a key.
      const held = isPasting ? 0 : heldLength(rest);
      add(found, isPasting, rest.slice(0, rest.length - held));
      rest = rest.slice(rest.length - held);
      isPasting = false;
      return found;
    },
  };
}

function add(found: Input[], isPasted: boolean, text: string): void {
  if (text !== "") found.push(isPasted ? { pasted: text } : { keys: text });
}

function heldLength(text: string): number {
  for (let length = Math.min(begin.length - 1, text.length); length > 2; length--)
    if (begin.startsWith(text.slice(-length))) return length;
  return 0;
}
