import type { Word, WordPart } from "unbash";

/**
 * A word after the shell has removed its quotes. What only the shell knows is in `value` as a wildcard: one of the
 * characters below, which are private to Unicode and so in no real script.
 */
export interface FoundWord {
  readonly value: string;
  /** False if the program may see something else, or several words. */
  readonly isCertain: boolean;
}

export const wildcards = {
  /** One character, but not `/`. */
  one: "\ue000",
  /** Any characters but `/`. */
  some: "\ue001",
  /** Any characters. */
  any: "\ue002",
  /** Like `some`, but the first character is not a dot: how a shell expands `*` at the start of a name. */
  visible: "\ue003",
} as const;

const mostWords = 64;

/** The words that one word of a script becomes: several if it has braces. */
export function expandWord(word: Word): FoundWord[] {
  if (word.parts === undefined) return [toWord(tildeOf(word.text, word.value), true)];
  let values = [""];
  for (const part of word.parts) {
    const pieces = piecesOf(part);
    const next = values.flatMap((value) => pieces.map((piece) => value + atStart(value, piece)));
    values = next.length > mostWords ? [wildcards.any] : next;
  }
  const isCertain = word.parts.every(isLiteral);
  return values.map((value) => toWord(tildeOf(word.text, value), isCertain));
}

function toWord(value: string, isCertain: boolean): FoundWord {
  return { value, isCertain: isCertain && !hasWildcard(value) };
}

export function hasWildcard(value: string): boolean {
  return /[\ue000-\ue003]/.test(value);
}

/** `~user`, `~+` and `~-` are directories that only the shell knows. `~/` stays as it is. */
function tildeOf(text: string, value: string): string {
  return /^~[^/]/.test(text) ? value.replace(/^~[^/]*/, wildcards.any) : value;
}

function atStart(before: string, piece: string): string {
  const isStart = before === "" || before.endsWith("/");
  return isStart && piece === wildcards.some ? wildcards.visible : piece;
}

function isLiteral(part: WordPart): boolean {
  if (part.type === "DoubleQuoted" || part.type === "LocaleString") return part.parts.every(isLiteral);
  return part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted";
}

/** What a part may become. */
function piecesOf(part: WordPart): string[] {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [part.value];
    case "DoubleQuoted":
    case "LocaleString":
      return [part.parts.map((inner) => piecesOf(inner)[0] ?? "").join("")];
    case "Glob":
      return [part.kind === "star" ? wildcards.some : wildcards.one];
    case "BraceExpansion":
      return expandBraces(part.text);
    case "SimpleExpansion":
    case "ParameterExpansion":
      return [knownVariables[part.text] ?? wildcards.any];
    default:
      return [wildcards.any];
  }
}

const knownVariables: Readonly<Record<string, string>> = {
  $HOME: "~",
  "${HOME}": "~",
  $PWD: ".",
  "${PWD}": ".",
};

/** `{a,b}` as `a` and `b`. Sequences, nested braces and expansions inside become a wildcard. */
function expandBraces(text: string): string[] {
  const inside = text.slice(1, -1);
  if (/[{}$`]|\.\./.test(inside)) return [wildcards.any];
  return inside.split(",").map((piece) =>
    piece
      .replace(/['"\\]/g, "")
      .replaceAll("*", wildcards.some)
      .replaceAll("?", wildcards.one),
  );
}
