import { useState } from "preact/hooks";
import type { Allowance } from "../../../src/outputs/html/limits.js";
import { renderProse, renderValue } from "../../../src/outputs/html/views.js";
import { cutText } from "../../../src/text/cut.js";
import type { JsonValue } from "../../../src/text/json.js";
import { toJsonText } from "../../../src/text/to-json.js";
import { copy } from "../ui/copy.js";
import { Html } from "../ui/html.js";

const shownAtFirst = 40_000;
const shownWhole = 4_000_000;

/** How much of a text is shown, before and after the reader has asked for more. */
export const shortAllowance: Allowance = { isLive: true, cut: (text) => cutText(text, shownAtFirst) };
export const wholeAllowance: Allowance = {
  isLive: true,
  isWhole: true,
  cut: (text) => cutText(text, shownWhole),
};

/** A text of an agent: rendered as Markdown unless it is very long. */
export function AgentText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const markup = renderProse(text, isWhole ? wholeAllowance : shortAllowance);
  return <Html markup={markup} onClick={(event) => press(event, { showMore: () => setWhole(true) })} />;
}

/** A value as a diff, as text or as JSON. The most useful view comes first. */
export function ValueView({ title, value }: { title: string; value: JsonValue }) {
  const [isWhole, setWhole] = useState(false);
  const markup = renderValue(title, value, isWhole ? wholeAllowance : shortAllowance);
  const actions = { showMore: () => setWhole(true), find: () => value };
  return <Html markup={markup} onClick={(event) => press(event, actions)} />;
}

interface Actions {
  showMore(): void;
  /** The value with this title, to be copied. */
  find?(title: string): JsonValue | undefined;
}

/** Handles what can be pressed in the markup of the shared renderers: `data-choose`, `data-copy` and `data-more`. */
export function press({ target }: MouseEvent, { showMore, find }: Actions): void {
  const button = target instanceof Element ? target.closest("button") : null;
  if (button === null) return;
  const { choose, copy: title, more } = button.dataset;
  const value = button.closest("[data-value]");
  if (more !== undefined) showMore();
  if (choose !== undefined && value !== null) chooseView(value, choose);
  const found = title === undefined ? undefined : find?.(title);
  if (found !== undefined && title !== undefined) void copy(toJsonText(found), title);
}

function chooseView(value: Element, name: string): void {
  for (const view of value.querySelectorAll<HTMLElement>("[data-view]"))
    view.hidden = view.dataset["view"] !== name;
  for (const button of value.querySelectorAll<HTMLElement>("[data-choose]"))
    button.setAttribute("aria-pressed", String(button.dataset["choose"] === name));
}
