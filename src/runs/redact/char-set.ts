/** A set of characters: those below 128 by a table, all others by one answer. */
export interface CharSet {
  has(code: number): boolean;
}

/** From the inside of a character class, such as `A-Za-z0-9_-`. */
export function charSet(members: string, hasOthers = false): CharSet {
  const pattern = new RegExp(`[${members}]`);
  const table = Uint8Array.from({ length: 128 }, (_, code) =>
    pattern.test(String.fromCharCode(code)) ? 1 : 0,
  );
  return { has: (code) => (code < 128 ? table[code] === 1 : hasOthers) };
}

/** All characters but those of the class, and none beyond ASCII that is a space or a control. */
export function charSetWithout(members: string): CharSet {
  return charSet(`^${members}`, true);
}

/** The first position from `at` on that is not in the set; the length of the text when there is none. */
export function endOfRun(text: string, at: number, set: CharSet): number {
  let end = at;
  while (end < text.length && set.has(text.charCodeAt(end))) end += 1;
  return end;
}

export const wordCharacters = charSet("A-Za-z0-9");
