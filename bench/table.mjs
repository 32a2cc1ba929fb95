/**
 * A row: `figure`, `value` and `baseline` in `unit`, `ratio` if a ratio is more useful, and a `goal`, which limits one of
 * `value`, `ratio` or `more` (value minus baseline).
 */
export function toTable(rows) {
  const cells = rows.map((row) => [
    row.figure,
    `${number(row.value)} ${row.unit}`,
    row.baseline === undefined ? "" : `${number(row.baseline)} ${row.unit}`,
    row.ratio === undefined ? "" : `${row.ratio.toFixed(2)}x`,
    row.goal === undefined ? "" : goalText(row),
    row.goal === undefined ? "" : isMet(row) ? "yes" : "NO",
  ]);
  const all = [["figure", "measured", "baseline", "ratio", "goal", "met"], ...cells];
  const widths = all[0].map((_head, column) => Math.max(...all.map((line) => line[column].length)));
  all.splice(
    1,
    0,
    widths.map((width) => "-".repeat(width)),
  );
  return all
    .map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |\n`)
    .join("");
}

function isMet(row) {
  return Object.entries(row.goal).every(([of, { least, most }]) => {
    const value = limited(row)[of];
    return (least === undefined || value >= least) && (most === undefined || value <= most);
  });
}

function limited(row) {
  return { value: row.value, ratio: row.ratio, more: row.value - row.baseline };
}

function goalText({ goal, unit }) {
  return Object.entries(goal)
    .map(([of, { least, most }]) => {
      const limit = least === undefined ? `at most ${number(most)}` : `at least ${number(least)}`;
      return `${limit}${of === "ratio" ? "x" : ` ${unit}`}${of === "more" ? " more" : ""}`;
    })
    .join(", ");
}

function number(value) {
  return Number.isInteger(value) || value >= 100 ? String(Math.round(value)) : value.toFixed(2);
}
