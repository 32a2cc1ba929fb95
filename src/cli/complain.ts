import { toInertLines } from "../outputs/github/commands.js";
import { cleanText } from "../text/clean-text.js";

/**
 * Prints on standard error what is wrong. The sentence may quote anything: it is printed as plain text, and further
 * lines are indented, so that none of them can pass for a sentence of ours.
 */
export function complain(sentence: string): void {
  if (divert !== undefined) divert(sentence);
  else complainAtOnce(sentence);
}

/** The same, even while complaints are diverted. */
export function complainAtOnce(sentence: string): void {
  note(`harness: ${cleanText(sentence).replace(/\n(?! {2})/g, "\n  ")}\n`);
}

let divert: ((sentence: string) => void) | undefined;

/**
 * Hands complaints to `listener` instead, until the returned function is called. For one job of many, whose complaints wait for
 * its turn. Only one job of a thread may do this at a time.
 */
export function divertComplaints(listener: (sentence: string) => void): () => void {
  divert = listener;
  return () => {
    divert = undefined;
  };
}

/** Prints text for people on standard error, with its own layout. In a job of GitHub, the runner would obey lines of this stream too. */
export function note(text: string): void {
  const isInJob = process.env["GITHUB_ACTIONS"] === "true";
  process.stderr.write(isInJob ? toInertLines(text).join("\n") : cleanText(text));
}
