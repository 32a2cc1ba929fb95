import { kinds } from "../../../story/timeline/kinds.js";

const barColours = kinds
  .filter(({ id }) =>
    ["command", "read", "write", "search", "list", "skill", "subagent", "tool"].includes(id),
  )
  .map(({ id }) => `.bar.${id} { fill: var(--${id}); }`)
  .join("\n");

const tokenColours = ["input", "cache-write", "cache-read", "output", "reasoning"]
  .map(
    (id) => `.tokens.${id} { fill: var(--tokens-${id}); } .swatch.${id} { background: var(--tokens-${id}); }`,
  )
  .join("\n");

export const charts = `
.charts { display: grid; gap: .75rem; margin: .75rem 0 1.5rem; }
figcaption { color: var(--dim); font-size: 13px; margin-bottom: .5rem; }
figcaption h2 { display: inline; color: var(--text); margin-right: .4rem; }
.chart { display: block; overflow: hidden; font-size: 11px; }
.chart.bar-only { border-radius: 3px; }
.grid { stroke: var(--line); }
.tick, .label { fill: var(--dim); }
.label { fill: var(--text); }
.label.inside { fill: var(--panel); font-weight: 600; }
.bar { opacity: .85; }
.lane .bar.failed { fill: var(--bad); stroke: none; }
.bar.failed { stroke: var(--bad); stroke-width: 2; }
a:hover .bar, a:focus-visible .bar { opacity: 1; }
a:hover .label { text-decoration: underline; }
.legend { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; margin: .45rem 0 .6rem; font-size: 13px; color: var(--dim); }
.legend:last-child { margin-bottom: 0; }
.legend b { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; }
.swatch { display: inline-block; width: .7rem; height: .7rem; margin-right: .35rem; border-radius: 2px; vertical-align: -1px; print-color-adjust: exact; }
${barColours}
${tokenColours}
`;
