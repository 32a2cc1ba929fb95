import { cleanText } from "../text/clean-text.js";

/**
 * Says on standard error what is wrong. The sentence may quote anything: it can do nothing but be read, and none of its lines
 * can pass for another sentence of ours.
 */
export function complain(sentence: string): void {
  note(`harness: ${cleanText(sentence).replace(/\n(?! {2})/g, "\n  ")}\n`);
}

/** Says something to people on standard error, as it is meant to be laid out. */
export function note(text: string): void {
  process.stderr.write(cleanText(text));
}
