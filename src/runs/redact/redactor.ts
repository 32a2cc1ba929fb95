import { createAssignmentMatcher } from "./assignments.js";
import { createValueMatcher } from "./known-value.js";
import { toRedactionMark } from "./mark.js";
import type { Matcher } from "./matcher.js";
import { maskAfterFlag } from "./named-value.js";
import { createPatternMatcher } from "./pattern.js";
import { privateKeyMatcher } from "./private-key.js";
import { createScanner, type Scanner, type Span } from "./scanner.js";
import { secretVariables } from "./secret-variables.js";
import { shapes } from "./shapes.js";
import { encodingsOf } from "./spellings.js";

/** Masks secrets. Marks of masked secrets stay as they are. */
export interface Redactor {
  /** Masks a complete text. */
  text(text: string): string;
  /** Masks a text that may have been cut. What could be the beginning of a secret at its end is masked too. */
  cutText(text: string): string;
  /** Masks the arguments of a command, including the value after a flag such as `--password`. */
  words(words: readonly string[]): string[];
  scanner: Scanner;
}

export interface RedactorOptions {
  /** The environment. Values of variables whose names look like secrets are masked. */
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Masks keys of known shapes, values that are assigned to names of secrets, and the values of secret variables. Each becomes
 * `[redacted KIND]`.
 */
export function createRedactor({ env }: RedactorOptions): Redactor {
  const scanner = createScanner([
    ...valueMatchers(env),
    privateKeyMatcher,
    ...shapes.map(createPatternMatcher),
    createAssignmentMatcher(),
  ]);
  const text = (text: string): string => maskSpans(text, scanner.scan(text, 0, true).spans);
  return {
    scanner,
    text,
    words: (words) => words.map((word, index) => maskAfterFlag(word, words[index - 1]) ?? text(word)),
    cutText: (text) => maskSpans(text, scanner.scanCut(text, 0)),
  };
}

function maskSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let masked = "";
  let at = 0;
  for (const { from, to, kind } of spans) {
    masked += text.slice(at, from) + toRedactionMark(kind);
    at = to;
  }
  return masked + text.slice(at);
}

/** Longest first, because one value may be part of another. */
function valueMatchers(env: RedactorOptions["env"]): Matcher[] {
  return secretVariables(env)
    .flatMap(({ name, value }) =>
      [{ text: value, isExact: false }, ...encodingsOf(value)].map((spelling) => ({ name, spelling })),
    )
    .sort((a, b) => b.spelling.text.length - a.spelling.text.length)
    .flatMap(({ name, spelling }) => createValueMatcher(name, spelling) ?? []);
}
