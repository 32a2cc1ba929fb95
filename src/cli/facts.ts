import type { Line, Style } from "../outputs/text/line.js";
import { widthOf } from "../outputs/text/width.js";
import { wrapText } from "../outputs/text/wrap.js";
import { toVisibleLine } from "../text/cut.js";

/** A label, and what is known about it. A value that is undefined or empty is left out. */
export type Fact = readonly [label: string, value: string | undefined, style?: Style | undefined];

const longestValue = 400;
const indent = 2;
const gap = 2;
/** If a terminal has fewer columns for values, it breaks the rows itself. */
const leastColumns = 20;

/** Facts below each other. A value that is too long for the screen goes on below itself. */
export function toFactLines(facts: readonly Fact[], columns: number): Line[] {
  const shown = facts.filter(([, value]) => value !== undefined && value !== "");
  const labels = shown.reduce((width, [label]) => Math.max(width, widthOf(label)), 0);
  const margin = indent + labels + gap;
  return shown.flatMap(([label, value = "", style]) => {
    const room = Math.max(leastColumns, columns - margin);
    const rows = wrapText(toVisibleLine(value, longestValue), room);
    return rows.map(
      (text, at): Line => [
        { text: `${" ".repeat(indent)}${(at === 0 ? label : "").padEnd(labels + gap)}`, style: "dim" },
        { text, style },
      ],
    );
  });
}
