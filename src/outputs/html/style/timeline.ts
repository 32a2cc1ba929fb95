import { kinds } from "../../../story/timeline/kinds.js";

const kindColours = kinds
  .map(({ id }) => id)
  .filter((id) => !["message", "thinking", "run", "unknown", "error", "warning"].includes(id))
  .map(
    (id) =>
      `.item.${id} > .body > summary .verb, .item.${id} > .body > .verb, .filter.${id} { --kind: var(--${id}); }`,
  )
  .join("\n");

export const timeline = `
.toolbar {
  position: sticky; top: 0; z-index: 1; margin: 0 -.5rem .75rem; padding: .5rem;
  background: var(--ground); border-bottom: 1px solid var(--line);
}
.filters, .tools { display: flex; flex-wrap: wrap; gap: .3rem; align-items: center; }
.tools { margin-top: .35rem; }
.tools output { color: var(--dim); font-size: 13px; margin-left: auto; }
#search { flex: 1 1 9rem; max-width: 18rem; }
button[aria-pressed="false"].filter { color: var(--dim); background: transparent; }
button[aria-pressed="false"].filter::before { background: transparent; box-shadow: inset 0 0 0 1px var(--dim); }
.filter::before { content: ""; display: inline-block; width: .55rem; height: .55rem; margin-right: .35rem; border-radius: 2px; background: var(--kind, var(--dim)); }
.filter.error { --kind: var(--bad); }
.filter.warning { --kind: var(--warn); }
#problems[aria-pressed="true"], .tabs button[aria-pressed="true"] { border-color: var(--accent); color: var(--accent); }
.timeline > .item { display: grid; grid-template-columns: 3.6rem minmax(0, 1fr); padding: .1rem 0; }
main > .timeline > .item { content-visibility: auto; contain-intrinsic-height: auto 2rem; }
.time { padding-top: .22rem; color: var(--dim); font-size: 12px; font-variant-numeric: tabular-nums; text-decoration: none; }
a.time:hover { color: var(--accent); }
.body { min-width: 0; padding: .15rem .5rem; border-radius: 6px; }
.item:target > .body { outline: 2px solid var(--accent); }
details.body > summary { display: flex; align-items: baseline; gap: .45rem; list-style: none; }
details.body > summary::-webkit-details-marker { display: none; }
details.body > summary::before, .line::before { content: "›"; flex: none; width: .6rem; color: var(--dim); transition: transform .1s; }
details.body[open] > summary::before { transform: rotate(90deg); }
.line { display: flex; align-items: baseline; gap: .45rem; }
.line::before { content: ""; }
details.body > summary:hover { background: var(--sunken); border-radius: 4px; }
.verb { flex: none; font-weight: 600; color: var(--kind, var(--text)); }
.object { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 13.5px; unicode-bidi: isolate; }
details[open] > summary > .object { white-space: normal; }
:is(.thinking, .unknown) > details[open] > summary > .object { visibility: hidden; white-space: nowrap; }
.call .object, .deeds .object { font-family: ui-monospace, monospace; }
.more { flex: none; color: var(--dim); font-size: 13px; }
.aside { flex: none; display: flex; gap: .6rem; margin-left: auto; padding-left: .5rem; color: var(--dim); font-size: 12px; font-variant-numeric: tabular-nums; }
.exit, .status.failed { color: var(--bad); font-weight: 600; }
.status { flex: none; width: .9rem; }
.status.ok { color: var(--good); }
.status.open { color: var(--dim); }
.inside { margin: .35rem 0 .5rem; padding-left: .8rem; border-left: 2px solid var(--line); display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; }
.inside > .timeline { margin-left: -.2rem; }
.thinking > .body, .unknown > .body, .run > .body { color: var(--dim); }
.thinking .verb, .unknown .verb, .run .verb { font-weight: 500; color: var(--dim); }
.thinking .object { font-style: italic; }
.said { padding: .5rem .8rem; margin: .25rem 0; border: 1px solid var(--line); background: var(--panel); }
.said > .verb { display: block; font-size: 12px; font-weight: 500; color: var(--dim); }
.said.user, .said.system { background: transparent; border-style: dashed; }
.said.answer { border-color: var(--good); }
.said.answer > .verb { color: var(--good); font-weight: 600; }
.turn-start { margin-top: .9rem; border-top: 2px solid var(--turn); border-radius: 0; }
.turn-start h2 { font-size: 14px; color: var(--turn); }
.turn-start pre { margin-top: .2rem; font-family: inherit; font-weight: 600; }
.aside :is(.allowed, .answered) { color: var(--good); }
.plan .status { display: inline-block; }
.plan .completed { color: var(--dim); }
.plan .in_progress { font-weight: 600; }
.notice { padding: .35rem .7rem; margin: .15rem 0; border-left: 3px solid var(--warn); background: var(--warn-ground); white-space: pre-wrap; }
.notice .verb { color: var(--warn); }
.error > .notice { border-color: var(--bad); background: var(--bad-ground); }
.error .verb { color: var(--bad); }
.notice .code { color: var(--dim); }
.gap { color: var(--dim); font-size: 13px; }
.gap > .body { padding: .5rem; border: 1px dashed var(--line); }
.value h4 { margin-bottom: .2rem; font-size: 12px; font-weight: 500; color: var(--dim); }
.value { position: relative; }
.tabs { position: absolute; top: -.2rem; right: 0; display: flex; gap: .2rem; }
.tabs button { padding: 0 .4rem; font-size: 12px; color: var(--dim); }
.view + .view { margin-top: .4rem; }
.fields { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem .8rem; padding: .5rem .75rem; border-radius: 6px; background: var(--sunken); font-size: 13px; }
.fields dt { max-width: 10rem; color: var(--dim); }
.fields pre { padding: 0; background: none; }
.json .key { color: var(--read); }
.json .string { color: var(--write); }
.json .value { color: var(--command); }
.diff { padding: .4rem 0; }
.diff .line { display: block; padding: 0 .75rem; }
.added { background: var(--added); }
.removed { background: var(--removed); }
.place { color: var(--dim); }
.diff + .diff { margin-top: .4rem; }
.prose > * + * { margin-top: .55rem; }
.prose :is(ul, ol) { padding-left: 1.4rem; list-style: revert; }
.prose :is(h1, h2, h3, h4, h5, h6) { margin: .8rem 0 .2rem; font-size: 1.05rem; line-height: 1.3; }
.prose :is(h1, h2, h3, h4, h5, h6):first-child { margin-top: 0; }
.prose code { padding: .08em .3em; border-radius: 4px; background: var(--sunken); }
.prose pre code { padding: 0; background: none; }
.prose blockquote { margin-left: 0; padding-left: .8rem; border-left: 3px solid var(--line); color: var(--dim); }
.prose table { border-collapse: collapse; display: block; overflow-x: auto; }
.prose :is(th, td) { padding: .2rem .6rem; border: 1px solid var(--line); text-align: left; }
.prose .right { text-align: right; }
.prose .center { text-align: center; }
pre.prose { max-height: 60rem; }
${kindColours}
@media (max-width: 40rem) {
  .timeline > .item { grid-template-columns: 2.5rem minmax(0, 1fr); }
  .time { font-size: 11px; }
  .body { padding-inline: .3rem; }
  .aside .tool { display: none; }
  details.body[open] > summary { flex-wrap: wrap; }
  details.body[open] > summary > .object { flex-basis: calc(100% - 8rem); }
  .filters { flex-wrap: nowrap; overflow-x: auto; padding-bottom: .25rem; }
  .filters button { flex: none; }
  .keys { display: none; }
  .fields { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  main > .timeline > .item { content-visibility: visible; }
  .item { break-inside: avoid-page; }
  .object { white-space: normal; }
}
`;
