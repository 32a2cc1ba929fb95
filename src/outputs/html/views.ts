import { findDiffs } from "../../story/find-diffs.js";
import type { CutText } from "../../text/cut.js";
import type { JsonValue } from "../../text/json.js";
import { formatCount } from "../../text/numbers.js";
import { toPrettyJson } from "../../text/to-json.js";
import { colourJson, parseStructure } from "./json-view.js";
import type { Allowance } from "./limits.js";
import { html, type Markup } from "./markup.js";

/** One way to look at a value. */
interface View {
  name: "Diff" | "Text" | "JSON";
  body: Markup;
}

/** A value under its title, the most useful view first. Without a script all views are shown one after the other. */
export function renderValue(title: string, value: JsonValue, allowance: Allowance): Markup {
  const views = viewsOf(value, allowance).map(
    (view) => html`<div class="view" data-view="${view.name}">${view.body}</div>`,
  );
  return html`
    <section class="value">
      <h4>${title}</h4>
      <div class="views">${views}</div>
    </section>`;
}

function viewsOf(value: JsonValue, allowance: Allowance): View[] {
  const diffs = findDiffs(value);
  const views: View[] =
    diffs.length === 0
      ? []
      : [{ name: "Diff", body: html`${diffs.map((diff) => renderDiff(diff, allowance))}` }];
  if (typeof value === "string") {
    const structure = parseStructure(value);
    if (structure !== undefined) views.push({ name: "JSON", body: renderJson(structure, allowance) });
    views.push({ name: "Text", body: renderText(value, allowance) });
    return views;
  }
  const isList = typeof value !== "object" || value === null || Array.isArray(value);
  if (!isList && diffs.length === 0) views.push({ name: "Text", body: renderFields(value, allowance) });
  views.push({ name: "JSON", body: renderJson(value, allowance) });
  return views;
}

export function renderText(text: string, allowance: Allowance): Markup {
  if (text === "") return html`<p class="nothing">empty</p>`;
  return html`<pre dir="auto">${renderWords(allowance.cut(text))}</pre>`;
}

/** A text with a note about what is missing in it. */
export function renderWords(cut: CutText): Markup {
  return html`${cut.head}${omission(cut)}${cut.tail}`;
}

function omission({ omitted }: CutText): Markup | false {
  return omitted > 0 && html`<span class="omission">${formatCount(omitted)} characters left out</span>`;
}

function renderJson(value: unknown, allowance: Allowance): Markup {
  const cut = allowance.cut(toPrettyJson(value));
  return html`<pre class="json">${colourJson(cut.head)}${omission(cut)}${colourJson(cut.tail)}</pre>`;
}

/** Short fields are beside their name, long ones below it with their line breaks. */
function renderFields(fields: { [name: string]: JsonValue }, allowance: Allowance): Markup {
  const names = Object.keys(fields);
  if (names.length === 0) return html`<p class="nothing">empty</p>`;
  const entries = names.map(
    (name) => html`<dt>${name}</dt><dd>${renderField(fields[name] ?? null, allowance)}</dd>`,
  );
  return html`<dl class="fields">${entries}</dl>`;
}

function renderField(value: JsonValue, allowance: Allowance): Markup {
  if (typeof value === "object" && value !== null && !(value instanceof Number))
    return renderJson(value, allowance);
  const text = String(value);
  return text.length > 100 || text.includes("\n") ? renderText(text, allowance) : html`<code>${text}</code>`;
}

const lineKinds: Record<string, string> = { "+": "added", "-": "removed", "@": "place", "*": "place" };

/** A patch, with its added and removed lines marked. */
export function renderDiff(diff: string, allowance: Allowance): Markup {
  const cut = allowance.cut(diff);
  const tail = cut.tail === "" ? [] : diffLines(cut.tail);
  return html`<pre class="diff">${diffLines(cut.head)}${omission(cut)}${tail}</pre>`;
}

/** Each line is a block of its own, so no line feed stands between them. */
function diffLines(text: string): Markup[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map(
    (line) => html`<span class="line ${lineKinds[line.charAt(0)] ?? "same"}">${line || " "}</span>`,
  );
}
