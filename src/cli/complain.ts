import { cleanText } from "../text/clean-text.js";

/**
 * Prints on standard error what is wrong. The sentence may quote anything: it is printed as plain text, and further
 * lines are indented, so that none of them can pass for a sentence of ours.
 */
export function complain(sentence: string): void {
  note(`harness: ${cleanText(sentence).replace(/\n(?! {2})/g, "\n  ")}\n`);
}

/** Prints text for people on standard error, with its own layout. */
export function note(text: string): void {
  process.stderr.write(cleanText(text));
}
