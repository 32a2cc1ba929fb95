import type { Finding, Matcher } from "./matcher.js";
import type { Spelling } from "./spellings.js";

/** Matching this many characters of a long value is enough. That bounds the cost of texts full of its beginnings. */
const enough = 256;
/** The beginning of a value at the end of a cut text is masked from this length on. */
const shortestCut = 8;
const mostBackslashes = 16;

/** A character of a value, and the other ways to write it. */
interface Unit {
  character: string;
  /** In lower case. */
  lower: string;
  isExact: boolean;
  /** Encoded in a URL (`%2F`, or twice: `%252F`) and in HTML (`&amp;`). */
  spellings: readonly string[];
  /** The letter of its backslash escape. */
  escape: string | undefined;
}

/**
 * Recognises a value however it is written: in upper or lower case, in JSON, in JSON within JSON, in a URL, in HTML, or in a
 * mixture of these.
 */
export function createValueMatcher(kind: string, { text: value, isExact }: Spelling): Matcher | undefined {
  // The number of backslashes before a character only says how deeply it is quoted.
  const units = Array.from(value.replaceAll("\\", ""), (character) => toUnit(character, isExact));
  if (units.length < 2) return undefined;
  // The fast path: most characters are written as they are, and most texts differ from the value at once.
  const lower = units.map((unit) => codeOf(isExact ? unit.character : unit.lower));
  const upper = units.map(({ character }) => codeOf(isExact ? character : character.toUpperCase()));
  const needed = Math.min(units.length, enough);
  const shortest = Math.max(shortestCut, Math.ceil(needed / 2));

  const isAmbiguous = /[%&+]/.test(value);

  function match(text: string, start: number, isLast: boolean): Finding {
    const found = matchReading(text, start, isLast, false);
    return found ?? (isAmbiguous ? matchReading(text, start, isLast, true) : undefined);
  }

  /** `%25` can be an encoded percent sign, or a plain one before `25`. Both readings are tried. */
  function matchReading(text: string, start: number, isLast: boolean, isSpelledFirst: boolean): Finding {
    let at = start;
    for (let index = 0; index < units.length; index += 1) {
      const code = text.charCodeAt(at);
      const isPlain = code === lower[index] || code === upper[index];
      if (isPlain && !(isSpelledFirst && isSpelled(text.charAt(at)))) {
        at += 1;
        continue;
      }
      const unit = units[index];
      const found =
        unit === undefined
          ? undefined
          : ((isSpelledFirst ? spelledAt(text, at, unit) : undefined) ?? lengthAt(text, at, unit));
      if (found === "cut") {
        if (!isLast) return { isSure: false, from: start };
        return index >= shortest ? { isSure: true, from: start, to: text.length, kind } : undefined;
      }
      if (found === undefined)
        return index >= needed ? { isSure: true, from: start, to: at, kind } : undefined;
      at += found;
    }
    return { isSure: true, from: start, to: at, kind };
  }

  return { anchors: anchorsOf(units), ignoresCase: !isExact, match };
}

function toUnit(character: string, isExact: boolean): Unit {
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => byte.toString(16).padStart(2, "0"));
  const code = character.codePointAt(0) ?? 0;
  return {
    character,
    lower: character.toLowerCase(),
    isExact,
    spellings: [
      `%${bytes.join("%")}`,
      `%25${bytes.join("%25")}`,
      `&#${code};`,
      `&#0${code};`,
      `&#x${code.toString(16)};`,
      ...(namedEntities[character] ?? []),
    ],
    escape: escapes[character],
  };
}

const namedEntities: Readonly<Record<string, readonly string[]>> = {
  "&": ["&amp;"],
  "<": ["&lt;"],
  ">": ["&gt;"],
  '"': ["&quot;"],
  "'": ["&apos;"],
  " ": ["+"],
};

const escapes: Readonly<Record<string, string>> = {
  "\n": "n",
  "\r": "r",
  "\t": "t",
  "\b": "b",
  "\f": "f",
};

/** The length of the character as it is written at this position. `cut`: the text ends within it. */
function lengthAt(text: string, at: number, unit: Unit): number | "cut" | undefined {
  const plain = afterBackslashes(text, at);
  if (plain === text.length || (text.length - plain === 2 && text.endsWith("%5"))) return "cut";
  const there = text.slice(plain, plain + unit.character.length);
  if (there === unit.character || (!unit.isExact && there.toLowerCase() === unit.lower))
    return plain + there.length - at;
  if (plain > at && text.charAt(plain - 1) === "\\") {
    if (unit.escape !== undefined && text.charAt(plain) === unit.escape) return plain + 1 - at;
    if (text.charAt(plain) === "u") return escapedLength(text, at, plain, unit);
  }
  if (there.length < unit.character.length && unit.character.startsWith(there)) return "cut";
  const spelled = spelledAt(text, plain, unit);
  return typeof spelled === "number" ? plain + spelled - at : spelled;
}

function spelledAt(text: string, at: number, { spellings }: Unit): number | "cut" | undefined {
  if (!isSpelled(text.charAt(at))) return undefined;
  let isCut = false;
  for (const spelling of spellings) {
    const part = text.slice(at, at + spelling.length).toLowerCase();
    if (part === spelling) return spelling.length;
    if (at + part.length === text.length && spelling.startsWith(part)) isCut = true;
  }
  return isCut ? "cut" : undefined;
}

function isSpelled(character: string): boolean {
  return character === "%" || character === "&" || character === "+";
}

/** Skips backslashes, also URL-encoded ones. */
function afterBackslashes(text: string, start: number): number {
  let at = start;
  while (at - start < mostBackslashes) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === "%" && /^%5c/i.test(text.slice(at, at + 3))) at += 3;
    else return at;
  }
  return at;
}

/** The length of `\u00e4`, or of two such escapes for a character that needs two. */
function escapedLength(text: string, at: number, letter: number, unit: Unit): number | "cut" | undefined {
  const backslashes = text.slice(at, letter);
  const parts = Array.from({ length: unit.character.length }, (_, index) =>
    hexOf(unit.character.slice(index)),
  );
  const wanted = `${backslashes}u${parts.join(`${backslashes}u`)}`;
  const part = text.slice(at, at + wanted.length).toLowerCase();
  if (part === wanted) return wanted.length;
  return at + part.length === text.length && wanted.startsWith(part) ? "cut" : undefined;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}

/** The code of a single UTF-16 unit. -1, which no character has, for longer texts. */
function codeOf(character: string): number {
  return character.length === 1 ? character.charCodeAt(0) : -1;
}

/** The beginnings of all spellings of the value. Backslashes before it need not be masked. */
function anchorsOf([first, second]: readonly Unit[]): string[] {
  if (first === undefined || second === undefined) return [];
  const spell = (unit: Unit): string => (unit.isExact ? unit.character : unit.lower);
  const next = [spell(second).charAt(0), "\\", "%", "&", "+"];
  const plain =
    first.character.length > 1 ? [spell(first)] : next.map((character) => spell(first) + character);
  const space = first.character === " " ? next.map((character) => `+${character}`) : [];
  const escaped = first.escape === undefined ? [] : [`\\${first.escape}`];
  const spelled = first.spellings.filter((spelling) => spelling.length > 1);
  return [...plain, ...space, ...escaped, `\\u${hexOf(first.character)}`, ...spelled];
}
