import { createAssignmentMatcher } from "./assignments.js";
import { createValueMatcher } from "./known-value.js";
import { toMark } from "./mark.js";
import type { Matcher } from "./matcher.js";
import { maskAfterFlag } from "./named-value.js";
import { createPatternMatcher } from "./pattern.js";
import { privateKeyMatcher } from "./private-key.js";
import { createScanner, type Scanner, type Span } from "./scanner.js";
import { secretVariables } from "./secret-variables.js";
import { shapes } from "./shapes.js";
import { encodingsOf } from "./spellings.js";

/** Masks secrets. What is masked already stays as it is. */
export interface Redactor {
  /** A text of its own. */
  text(text: string): string;
  /** A text that may have been cut anywhere: what could be the beginning of a secret at its end is masked too. */
  cutText(text: string): string;
  /** The arguments of a command: what follows `--password` is masked too. */
  words(words: readonly string[]): string[];
  scanner: Scanner;
}

export interface RedactorOptions {
  /** The values of variables whose names look like secrets are masked too. */
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Masks known shapes of keys, what is assigned to names of secrets, and the values of secret variables, each as
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
    masked += text.slice(at, from) + toMark(kind);
    at = to;
  }
  return masked + text.slice(at);
}

/** The longest first: one value may be a part of another. */
function valueMatchers(env: RedactorOptions["env"]): Matcher[] {
  return secretVariables(env)
    .flatMap(({ name, value }) =>
      [{ text: value, isExact: false }, ...encodingsOf(value)].map((spelling) => ({ name, spelling })),
    )
    .sort((a, b) => b.spelling.text.length - a.spelling.text.length)
    .flatMap(({ name, spelling }) => createValueMatcher(name, spelling) ?? []);
}
