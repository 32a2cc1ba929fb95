import { findDiffs } from "../../story/find-diffs.js";
import type { CutText } from "../../text/cut.js";
import type { JsonValue } from "../../text/json.js";
import { formatCount } from "../../text/numbers.js";
import { toPrettyJson } from "../../text/to-json.js";
import { colourJson, parseStructure } from "./json-view.js";
import type { Allowance } from "./limits.js";
import { longestMarkdown, renderMarkdown } from "./markdown-view.js";
import { html, type Markup } from "./markup.js";

/** One way to look at a value. */
interface View {
  name: "Diff" | "Text" | "JSON";
  body: Markup;
}

/**
 * A value under its title, the most useful view first. In an exported page its script adds the buttons that choose a view, and
 * without a script all views are shown one after the other. The live page gets the buttons with the markup.
 */
export function renderValue(title: string, value: JsonValue, allowance: Allowance): Markup {
  const isLive = allowance.isLive === true;
  const views = viewsOf(value, allowance);
  const parts = views.map(
    ({ name, body }, index) =>
      html`<div class="view" data-view="${name}"${isLive && index > 0 && html` hidden`}>${body}</div>`,
  );
  return html`
    <div class="value" data-value="${title}">
      <div class="value-head">
        <span class="value-title">${title}</span>
        ${isLive && renderChoice(title, views)}
      </div>
      <div class="views">${parts}</div>
    </div>`;
}

function renderChoice(title: string, views: readonly View[]): Markup {
  const buttons = views.map(
    ({ name }, index) =>
      html`<button type="button" data-choose="${name}" aria-pressed="${index === 0 ? "true" : "false"}">${name}</button>`,
  );
  return html`
    <span class="view-choice" role="group" aria-label="View of ${title.toLowerCase()}">
      ${views.length > 1 && buttons}
      <button type="button" class="quiet" data-copy="${title}">Copy</button>
    </span>`;
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
  if (!isList) views.push({ name: "Text", body: renderFields(value, allowance) });
  views.push({ name: "JSON", body: renderJson(value, allowance) });
  return views;
}

export function renderText(text: string, allowance: Allowance): Markup {
  if (text === "") return html`<p class="nothing">empty</p>`;
  return html`<pre dir="auto" tabindex="0">${renderWords(allowance, text)}</pre>`;
}

/** A text of an agent: rendered as Markdown if all of it is shown, else as it is. */
export function renderProse(text: string, allowance: Allowance): Markup {
  const cut = allowance.cut(text);
  if (cut.omitted === 0 && text.length <= longestMarkdown)
    return html`<div class="prose" dir="auto">${renderMarkdown(text)}</div>`;
  return html`<div class="plain" dir="auto">${cut.head}${omission(cut, allowance)}${cut.tail}</div>`;
}

/** A text with a note about what is missing in it. */
export function renderWords(allowance: Allowance, text: string): Markup {
  const cut = allowance.cut(text);
  return html`${cut.head}${omission(cut, allowance)}${cut.tail}`;
}

function omission({ omitted }: CutText, { isLive, isWhole }: Allowance): Markup | false {
  if (omitted === 0) return false;
  const words = `${formatCount(omitted)} characters left out`;
  return isLive === true && isWhole !== true
    ? html`<button type="button" class="omission" data-more="">${words}: show more</button>`
    : html`<span class="omission">${words}</span>`;
}

function renderJson(value: unknown, allowance: Allowance): Markup {
  const cut = allowance.cut(toPrettyJson(value));
  return html`<pre class="json" tabindex="0">${colourJson(cut.head)}${omission(cut, allowance)}${colourJson(cut.tail)}</pre>`;
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
  return html`<pre class="diff" tabindex="0">${diffLines(cut.head)}${omission(cut, allowance)}${tail}</pre>`;
}

/** Each line is a block of its own, so no line feed stands between them. */
function diffLines(text: string): Markup[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map(
    (line) => html`<span class="line ${lineKinds[line.charAt(0)] ?? "same"}">${line || " "}</span>`,
  );
}
