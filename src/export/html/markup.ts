import { escapeHtml } from "../text/escape-html.js";
import { toVisibleText } from "../text/visible-text.js";

/** Text that is HTML already. Only `html` makes it, so everything else is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Value = string | number | Markup | undefined | false | readonly Value[];

/**
 * HTML from a template. Every value is escaped, in text and in quoted attributes alike, unless it is Markup
 * itself; undefined and false are nothing, lists are their parts.
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Markup {
  let text = strings[0] ?? "";
  for (const [index, value] of values.entries()) text += toText(value) + (strings[index + 1] ?? "");
  return new Markup(text);
}

function toText(value: Value): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escapeHtml(toVisibleText(value));
  return value.map(toText).join("");
}
