/** A set of characters. ASCII characters are looked up in a table; all others get the same answer. */
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

/** All characters except those of the class. */
export function charSetWithout(members: string): CharSet {
  return charSet(`^${members}`, true);
}

/** The first position from `at` on whose character is not in the set, or the length of the text. */
export function endOfRun(text: string, at: number, set: CharSet): number {
  let end = at;
  while (end < text.length && set.has(text.charCodeAt(end))) end += 1;
  return end;
}

export const wordCharacters = charSet("A-Za-z0-9");
