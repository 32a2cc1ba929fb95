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
.timeline > .item { display: grid; grid-template-columns: 4.2rem minmax(0, 1fr); padding: .1rem 0; }
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
.object.mono { font-family: ui-monospace, monospace; }
.more { flex: none; color: var(--dim); font-size: 13px; }
.aside { flex: none; display: flex; gap: .6rem; margin-left: auto; padding-left: .5rem; color: var(--dim); font-size: 12px; font-variant-numeric: tabular-nums; }
.exit { color: var(--bad); font-weight: 600; }
.sign { flex: none; width: .9rem; color: var(--dim); }
.sign.completed { color: var(--good); }
.sign.failed { color: var(--bad); font-weight: 600; }
.sign.cancelled { color: var(--warn); }
.status { flex: none; width: .9rem; }
.inside { margin: .35rem 0 .5rem; padding-left: .8rem; border-left: 2px solid var(--line); display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; }
.inside > .timeline { margin-left: -.2rem; }
.thinking > .body, .unknown > .body, .run > .body { color: var(--dim); }
.thinking .verb, .unknown .verb, .run .verb { font-weight: 500; color: var(--dim); }
.thinking .object { font-style: italic; }
.body > .said { padding: .5rem .8rem; margin: .25rem 0; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); }
.said > .verb { display: block; font-size: 12px; font-weight: 500; color: var(--dim); }
.body > :is(.said.user, .said.system) { background: transparent; border-style: dashed; }
.body > .said.answer { border-color: var(--good); }
.said.answer > .verb { color: var(--good); font-weight: 600; }
.turn-start { margin-top: .9rem; padding-top: .3rem; border-top: 2px solid var(--turn); }
.turn-start h2 { font-size: 14px; color: var(--turn); }
.turn-start .plain { margin-top: .2rem; font-weight: 600; }
.aside :is(.allowed, .answered) { color: var(--good); }
.plan .status { display: inline-block; }
.plan .completed { color: var(--dim); }
.plan .in_progress { font-weight: 600; }
.notice { padding: .35rem .7rem; margin: .15rem 0; border-left: 3px solid var(--warn); background: var(--warn-ground); white-space: pre-wrap; }
.notice .verb { color: var(--warn); }
.error .notice { border-color: var(--bad); background: var(--bad-ground); }
.error .verb { color: var(--bad); }
.notice .code { color: var(--dim); }
.gap { color: var(--dim); font-size: 13px; }
.gap > .body { padding: .5rem; border: 1px dashed var(--line); }
${kindColours}
@media (max-width: 40rem) {
  .timeline > .item { grid-template-columns: 3rem minmax(0, 1fr); }
  .time { font-size: 11px; }
  .body { padding-inline: .3rem; }
  .aside .tool { display: none; }
  details.body[open] > summary { flex-wrap: wrap; }
  details.body[open] > summary > .object { flex-basis: calc(100% - 8rem); }
  .filters { flex-wrap: nowrap; overflow-x: auto; padding-bottom: .25rem; }
  .filters button { flex: none; }
  .keys { display: none; }
}
@media print {
  main > .timeline > .item { content-visibility: visible; }
  .item { break-inside: avoid-page; }
  .object { white-space: normal; }
}
`;
