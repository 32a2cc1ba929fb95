import { cleanText } from "../../text/clean-text.js";
import type { Line, Style } from "./line.js";

/** The sixteen colours that every terminal has, as its user has chosen them. */
const codes: { readonly [Name in Style]: string } = {
  dim: "2",
  bold: "1",
  success: "32",
  failure: "31",
  warning: "33",
  accent: "36",
  italic: "3",
  strike: "9",
};

/** A row as text for a terminal, without its line feed. */
export function paint(line: Line, hasColors: boolean): string {
  let text = "";
  for (const { style, text: given } of line) {
    // Rows are made of clean text. If one is not clean, this still removes all other control codes.
    const shown = cleanText(given);
    text +=
      hasColors && style !== undefined && shown !== "" ? `\u001b[${codes[style]}m${shown}\u001b[0m` : shown;
  }
  return text;
}
