import { cleanText } from "../text/clean-text.js";
import { cutText } from "../text/cut.js";
import { escapeHtml } from "../text/escape-html.js";
import { formatCount } from "../text/numbers.js";

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

/** The content of a fold needs blank lines around it to be read as Markdown. `isHtml`: the title is HTML already. */
export function fold(title: string, inside: string, isHtml = false): string {
  return `<details><summary>${isHtml ? title : escapeHtml(title)}</summary>\n\n${inside}\n\n</details>`;
}

export function shorten(text: string, maxCharacters: number): string {
  const { head, tail, omitted } = cutText(text, maxCharacters);
  return omitted === 0 ? text : `${head}\n… ${formatCount(omitted)} characters left out …\n${tail}`;
}
