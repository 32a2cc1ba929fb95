/** Roughly what an entry takes besides its text: the answer and its place in the map. */
const entrySize = 256;

/** Longer texts are rarely repeated. */
const longestText = 4096;

/**
 * Caches the latest answers of a pure function of text. Most agents report each command twice, when it starts and when it
 * ends, and run the same commands again and again.
 *
 * The answers are in two generations of at most `most` bytes each. An answer that is asked for moves to the newer one; when
 * that is full, the older one is dropped. So commands that take turns are all remembered up to `most` bytes, and a command
 * that comes once costs memory only for a while.
 */
export function remember<Answer>(answer: (text: string) => Answer, most: number): (text: string) => Answer {
  let latest = new Map<string, Answer>();
  let older = new Map<string, Answer>();
  let size = 0;
  return (text) => {
    const known = latest.get(text);
    if (known !== undefined) return known;
    const found = older.get(text) ?? answer(text);
    if (text.length > longestText) return found;
    if (size >= most) {
      older = latest;
      latest = new Map();
      size = 0;
    }
    latest.set(text, found);
    size += text.length + entrySize;
    return found;
  };
}
