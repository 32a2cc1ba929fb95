/** A set of characters. ASCII characters are looked up in a table; all others get the same answer. */
export interface CharSet {
  has(code: number): boolean;
}

const ascii = String.fromCharCode(...Array(128).keys());

/**
 * From the inside of a character class, such as `A-Za-z0-9_-`. A table is made when it is first needed: there are many sets, and making
 * them all took 1 ms of every start.
 */
export function charSet(members: string, hasOthers = false): CharSet {
  let table: Uint8Array | undefined;
  return {
    has(code) {
      table ??= tableOf(members);
      return code < 128 ? table[code] === 1 : hasOthers;
    },
  };
}

function tableOf(members: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const { 0: run, index } of ascii.matchAll(new RegExp(`[${members}]+`, "g")))
    table.fill(1, index, index + run.length);
  return table;
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
