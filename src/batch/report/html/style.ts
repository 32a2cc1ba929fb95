import { base } from "../../../outputs/html/style/base.js";
import { colours } from "../../../outputs/html/style/colours.js";
import { overview } from "../../../outputs/html/style/overview.js";

const own = `
html { scroll-padding-top: 1rem; }
h2 { margin: 0 0 .5rem; font-size: 15px; }
h3 { margin: 1.2rem 0 .3rem; font-size: 14px; font-weight: 650; }
.outcome.unfinished { background: var(--accent); }
.outcome.budget { background: var(--warn); }
main > section { margin-top: 2rem; }
.findings { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: .75rem; margin-top: 1.25rem; }
.findings .card { margin: 0; }
.findings ul { display: grid; gap: .45rem; font-size: 14px; }
.card.doubts { border-left: 3px solid var(--warn); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: .75rem; margin-top: .75rem; }
figcaption { color: var(--dim); font-size: 13px; margin-bottom: .5rem; }
figcaption h2 { margin: 0 0 .1rem; color: var(--text); }
svg { display: block; overflow: visible; font-size: 11px; }
.gridline { stroke: var(--line); }
.tick { fill: var(--dim); }
.name { fill: var(--text); font-size: 13px; font-weight: 600; }
.value { fill: var(--dim); font-size: 12px; }
.track { fill: var(--sunken); }
.range { fill: var(--accent); opacity: .35; }
.point { fill: var(--accent); }
.whisker { stroke: var(--accent); stroke-width: 2; opacity: .45; }
.number { fill: var(--panel); font-weight: 700; text-anchor: middle; }
.legend { display: grid; gap: .1rem; margin-top: .6rem; font-size: 13px; color: var(--dim); }
.legend b { color: var(--text); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { color: var(--dim); font-weight: 500; font-size: 12.5px; }
tbody th { min-width: 6.5rem; color: var(--text); font-weight: 600; font-size: 13.5px; }
:is(th, td):first-child { text-align: left; }
tbody small { display: block; }
.words :is(th, td), .grid :is(th, td) { text-align: left; }
.grid td { vertical-align: top; }
.grid tbody th { max-width: 14rem; white-space: normal; vertical-align: top; }
.squares { display: flex; flex-wrap: wrap; gap: 3px; width: max-content; max-width: 9.2rem; }
.square, .mark { display: inline-grid; place-items: center; width: 1.5rem; height: 1.5rem; border-radius: 4px; font-size: 13px; font-weight: 700; line-height: 1; text-decoration: none; color: var(--panel); background: var(--dim); print-color-adjust: exact; }
.mark { width: 1.15rem; height: 1.15rem; font-size: 11px; flex: none; }
.square:hover { outline: 2px solid var(--text); outline-offset: 1px; }
.passed { background: var(--good); }
.failed { background: var(--bad); }
.error { background: var(--warn); }
.running { background: var(--accent); }
:is(.square, .mark):is(.waiting, .skipped) { color: var(--dim); background: var(--sunken); box-shadow: inset 0 0 0 1px var(--line); }
.marks { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin-top: .6rem; font-size: 13px; color: var(--dim); }
.marks li { display: flex; align-items: center; gap: .4rem; }
.cell { content-visibility: auto; contain-intrinsic-height: auto 2.1rem; border-bottom: 1px solid var(--line); }
.cell > summary { display: flex; align-items: center; gap: .6rem; padding: .3rem .25rem; list-style: none; }
.cell > summary::-webkit-details-marker { display: none; }
.cell > summary:hover { background: var(--sunken); }
.who { flex: none; font-weight: 600; font-size: 14px; }
.why { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--dim); font-size: 13px; }
.aside { flex: none; margin-left: auto; color: var(--dim); font-size: 12.5px; font-variant-numeric: tabular-nums; }
.inside { display: grid; grid-template-columns: minmax(0, 1fr); gap: .7rem; padding: .4rem .25rem 1rem 2rem; scroll-margin-top: 4rem; }
.inside:target { box-shadow: inset 3px 0 0 var(--accent); }
.inside h4 { margin-bottom: .2rem; font-size: 12px; font-weight: 500; color: var(--dim); }
.known { display: flex; flex-wrap: wrap; gap: .3rem 1.6rem; font-size: 13px; }
.known dt { color: var(--dim); font-size: 12px; }
.inside .failure { margin: 0; }
.diff { padding: .4rem 0; }
.diff .line { display: block; padding: 0 .75rem; }
.added { background: var(--added); }
.removed { background: var(--removed); }
.place { color: var(--dim); }
.notes { margin-top: 2rem; color: var(--dim); font-size: 13px; display: grid; gap: .3rem; max-width: 52rem; }
@media (max-width: 40rem) {
  .inside { padding-left: .5rem; }
  .cell > summary { flex-wrap: wrap; gap: .1rem .5rem; }
  .why { flex-basis: 100%; order: 3; }
}
@media print { .cell { content-visibility: visible; break-inside: avoid-page; } .scroll { overflow: visible; } }
`;

export const reportStyle = colours + base + overview + own;

/** For the page's policy. It is written down because Node and browsers have no common way to compute it at once; a test checks it. */
export const reportStyleHash = "sha256-D3SfjhPC+CmwzgBHRh/IEYAOtcPWqfta2EuHUTa33pY=";
