/**
 * A row: `figure`, `value` and `baseline` in `unit`, `ratio` if a ratio is more useful, and a `goal`, which limits one of
 * `value`, `ratio` or `more` (value minus baseline). `which` names the agent that decided it. A row with an `agent` is one of a figure
 * for every agent, and belongs into the `column` of the table of agents.
 */
export function toTable(rows) {
  const cells = rows
    .filter(({ agent }) => agent === undefined)
    .map((row) => [
      row.which === undefined ? row.figure : `${row.figure} (${row.which})`,
      `${number(row.value)} ${row.unit}`,
      row.baseline === undefined ? "" : `${number(row.baseline)} ${row.unit}`,
      row.ratio === undefined ? "" : `${row.ratio.toFixed(2)}x`,
      row.goal === undefined ? "" : goalText(row),
      row.goal === undefined ? "" : isMet(row) ? "yes" : "NO",
    ]);
  return aligned([["figure", "measured", "baseline", "ratio", "goal", "met"], ...cells]);
}

/** One line for each agent. Empty if no figure is about every agent. */
export function toAgentTable(rows) {
  const ofAgents = rows.filter(({ agent }) => agent !== undefined);
  if (ofAgents.length === 0) return "";
  const columns = [...new Set(ofAgents.map(({ column }) => column))];
  const agents = [...new Set(ofAgents.map(({ agent }) => agent))];
  const cell = (agent, column) => {
    const row = ofAgents.find((one) => one.agent === agent && one.column === column);
    if (row === undefined) return "";
    return row.unit === "MB" ? `${number(row.value)} / ${number(row.baseline)}` : `${row.ratio.toFixed(2)}x`;
  };
  return aligned([
    ["agent", ...columns],
    ...agents.map((agent) => [agent, ...columns.map((column) => cell(agent, column))]),
  ]);
}

export function isMet(row) {
  return Object.entries(row.goal).every(([of, { least, most }]) => {
    const value = limited(row)[of];
    return (least === undefined || value >= least) && (most === undefined || value <= most);
  });
}

function aligned([head, ...lines]) {
  const widths = head.map((_head, column) =>
    Math.max(...[head, ...lines].map((line) => line[column].length)),
  );
  const rule = widths.map((width) => "-".repeat(width));
  return [head, rule, ...lines]
    .map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |\n`)
    .join("");
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
