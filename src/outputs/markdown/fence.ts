import { cleanText } from "../../text/clean-text.js";

/** A block that shows a text as it is. The fence is longer than any in the text, so that the text cannot end it. */
export function fence(text: string, language = ""): string {
  const visible = cleanText(text).replace(/\n+$/, "");
  const marks = "`".repeat(Math.max(3, longestRun(visible) + 1));
  return `${marks}${language}\n${visible}\n${marks}`;
}

/** The same within a line. */
export function codeSpan(line: string): string {
  const marks = "`".repeat(longestRun(line) + 1);
  const pad = /^[\s`]|[\s`]$/.test(line) ? " " : "";
  return line === "" ? "" : `${marks}${pad}${line}${pad}${marks}`;
}

/** A line in which nothing is Markdown. */
export function escapeMarkdown(line: string): string {
  return line.replace(/[\\`*_{}[\]<>#!|~@&]/g, "\\$&");
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
