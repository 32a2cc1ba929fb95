import { cleanText } from "../../text/clean-text.js";
import { escapeHtml } from "../../text/escape-html.js";
import { parseJson } from "../../text/parse-json.js";
import { Markup } from "./markup.js";

/** The value of a text that is a JSON object or array. */
export function parseStructure(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const value = parseJson(text);
  return typeof value === "object" && value !== null ? value : undefined;
}

/** Colours multiply the size of a text. */
const longestColoured = 20_000;
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON text with its parts marked. */
export function colourJson(text: string): Markup {
  const visible = cleanText(text);
  if (visible.length > longestColoured) return new Markup(escapeHtml(visible));
  let coloured = "";
  let end = 0;
  for (const match of visible.matchAll(tokens)) {
    const [token, string, colon] = match;
    const part = string === undefined ? "value" : colon === undefined ? "string" : "key";
    const marked = `<span class="${part}">${escapeHtml(string ?? token)}</span>${colon ?? ""}`;
    coloured += escapeHtml(visible.slice(end, match.index)) + marked;
    end = match.index + token.length;
  }
  return new Markup(coloured + escapeHtml(visible.slice(end)));
}
