import type { Word, WordPart } from "unbash";

/**
 * How the shell expands a word before a program sees it: only quote removal, a list of matching files (`value` is the
 * pattern as written), several words, or a variable whose value only the shell knows.
 */
export type WordExpansion = "none" | "glob" | "brace" | "variable";

export interface ShellWord {
  readonly value: string;
  readonly expansion: WordExpansion;
  /** The word begins with a quote. Nobody quotes the dash of an option. */
  readonly isQuoted?: true;
}

/** Undefined if the word runs a command or computes something (`$(…)`, `<(…)`, `$((…))`, `${x:=…}`). */
export function toShellWord(word: Word): ShellWord | undefined {
  const expansion = expansionOf(word.parts ?? []);
  if (expansion === undefined) return undefined;
  const { value } = word;
  return /^["']/.test(word.text) ? { value, expansion, isQuoted: true } : { value, expansion };
}

/** The value, if the program has certainly seen exactly this text and the text is not empty. */
export function literalText(word: ShellWord | undefined): string | undefined {
  return word?.expansion === "none" && word.value !== "" ? word.value : undefined;
}

const byStrength: readonly WordExpansion[] = ["none", "glob", "brace", "variable"];

function expansionOf(parts: readonly WordPart[]): WordExpansion | undefined {
  let strongest = 0;
  for (const part of parts) {
    const expansion = expansionOfPart(part);
    if (expansion === undefined) return undefined;
    strongest = Math.max(strongest, byStrength.indexOf(expansion));
  }
  return byStrength[strongest];
}

function expansionOfPart(part: WordPart): WordExpansion | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return "none";
    case "DoubleQuoted":
    case "LocaleString":
      return expansionOf(part.parts);
    case "Glob":
    case "ExtendedGlob":
      return atLeast("glob", part.parts);
    case "BraceExpansion":
      return atLeast("brace", part.parts);
    case "SimpleExpansion":
      return "variable";
    case "ParameterExpansion":
      return part.operation || part.index ? undefined : "variable";
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
      return undefined;
  }
}

function atLeast(own: WordExpansion, parts: readonly WordPart[] = []): WordExpansion | undefined {
  const inner = expansionOf(parts);
  return inner && byStrength[Math.max(byStrength.indexOf(own), byStrength.indexOf(inner))];
}
