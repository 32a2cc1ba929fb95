import { toVisibleLine } from "../../../src/text/cut.js";
import { formatCount, formatNumberOf, formatOffset } from "../../../src/text/numbers.js";
import { findProblems } from "../model/rows.js";
import type { ViewState } from "./view-state.js";

const shown = 50;

/** Errors and warnings, pinned above the timeline. */
export function Problems({ view, onEvent }: { view: ViewState; onEvent(seq: number): void }) {
  const { model } = view.source;
  model.version.value;
  const problems = findProblems(model.timeline.items);
  if (problems.length === 0) return null;
  const errors = problems.filter(({ kind }) => kind === "error");
  const warnings = problems.length - errors.length;
  const words = [
    errors.length > 0 && formatNumberOf(errors.length, "error"),
    warnings > 0 && formatNumberOf(warnings, "warning"),
  ].filter((part) => part !== false);
  const first = errors[0] ?? problems[0];
  const message = first !== undefined && "message" in first ? first.message : "";
  /** The header of the page already shows this message. */
  const isSaid = message === view.source.about.value?.row.failure?.message;
  return (
    <details class={`problems ${errors.length > 0 ? "error" : "warning"}`}>
      <summary>
        <b>{words.join(", ")}</b>{" "}
        <span class="first" dir="auto">
          {!isSaid && toVisibleLine(message, 160)}
        </span>
      </summary>
      <ul>
        {[...errors, ...problems.filter(({ kind }) => kind === "warning")].slice(0, shown).map((item) => (
          <li key={item.seq} class={item.kind}>
            <button type="button" class="link" onClick={() => onEvent(item.seq)}>
              <time>{formatOffset(item.time)}</time>{" "}
              <span dir="auto">{"message" in item && toVisibleLine(item.message, 300)}</span>
            </button>
          </li>
        ))}
        {problems.length > shown && <li class="dim">and {formatCount(problems.length - shown)} more</li>}
      </ul>
    </details>
  );
}
