import { cleanText } from "../../text/clean-text.js";
import { escapeHtml } from "../../text/escape-html.js";

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
 * itself; undefined and false are empty, lists are joined. Line breaks of the template only help its readers:
 * they are left out, or become a space between attributes.
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Markup {
  const parts = partsOf(strings);
  let text = parts[0] ?? "";
  for (const [index, value] of values.entries()) text += toText(value) + (parts[index + 1] ?? "");
  return new Markup(text);
}

function toText(value: Value): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escapeHtml(cleanText(value));
  return value.map(toText).join("");
}

/** A cache: a template is the same object each time it is used. */
const known = new WeakMap<TemplateStringsArray, readonly string[]>();

function partsOf(strings: TemplateStringsArray): readonly string[] {
  const found = known.get(strings);
  if (found !== undefined) return found;
  const parts = strings.map((part) =>
    part.replace(/\n\s*/g, (gap, at: number) => joint(part, at, gap.length)),
  );
  known.set(strings, parts);
  return parts;
}

function joint(part: string, at: number, length: number): string {
  const before = part.charAt(at - 1);
  const after = part.charAt(at + length);
  return before === "" || after === "" || before === ">" || after === "<" || after === ">" ? "" : " ";
}
