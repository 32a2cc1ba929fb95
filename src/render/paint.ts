import type { Line, Style } from "./line.js";

/** The sixteen colours that every terminal has, as its user has chosen them. */
const codes: { readonly [Name in Style]: string } = {
  dim: "2",
  bold: "1",
  success: "32",
  failure: "31",
  warning: "33",
  accent: "36",
};

/** A row as a terminal takes it, without its line feed. */
export function paint(line: Line, hasColors: boolean): string {
  let text = "";
  for (const segment of line) {
    text +=
      hasColors && segment.style !== undefined && segment.text !== ""
        ? `\u001b[${codes[segment.style]}m${segment.text}\u001b[0m`
        : segment.text;
  }
  return text;
}
