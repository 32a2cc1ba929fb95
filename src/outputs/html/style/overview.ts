export const overview = `
header { margin-bottom: 1.25rem; }
h1 { margin: .5rem 0 .4rem; font-size: clamp(1.2rem, 2.6vw, 1.65rem); line-height: 1.3; font-weight: 650; }
h2 { font-size: 14px; font-weight: 650; }
.facts { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .9rem; color: var(--dim); font-size: 13px; }
.outcome { padding: .12rem .6rem; border-radius: 99px; font-weight: 600; color: var(--panel); background: var(--dim); }
.outcome.completed { background: var(--good); }
.outcome.failed, .outcome.timed_out, .outcome.stalled { background: var(--bad); }
.outcome.cancelled, .outcome.interrupted { background: var(--warn); }
.outcome.running { background: var(--accent); }
.failure { margin-top: .6rem; padding: .6rem .8rem; border-left: 3px solid var(--bad); border-radius: 4px; background: var(--bad-ground); white-space: pre-wrap; }
.failure .next { margin: .4rem 0 0; color: var(--dim); white-space: normal; }
.failure b { color: var(--bad); font-weight: 600; }
.part > summary { color: var(--dim); font-size: 13px; }
.part > summary:hover { color: var(--text); }
.tiles { display: flex; flex-wrap: wrap; gap: .5rem 2.25rem; margin: 1.1rem 0 1.4rem; }
.tiles dt { color: var(--dim); font-size: 12px; }
.tiles dd { font-size: 1.35rem; font-weight: 600; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tiles small { font-size: 12px; }
.tiles small.good { color: var(--good); }
.tiles small.bad { color: var(--bad); }
.deeds-of-run { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: .75rem; }
.card, figure { padding: .75rem .9rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); min-width: 0; }
.changed { margin-top: .3rem; }
.changed > summary { list-style-position: inside; }
.changed > .diff { margin: .3rem 0 .6rem; }
.line-counts { font-variant-numeric: tabular-nums; font-size: 12.5px; font-weight: 500; white-space: nowrap; }
.line-counts .plus { color: var(--good); }
.line-counts .minus { color: var(--bad); }
.card ul { margin-top: .3rem; }
.card li { display: flex; align-items: baseline; gap: .5rem; }
.card li code { min-width: 0; }
.card li::before { content: ""; flex: none; width: .4rem; height: .4rem; border-radius: 2px; background: var(--line); transform: translateY(-.1rem); }
.card li.failed::before { background: var(--bad); }
.card li.failed small { color: var(--bad); white-space: nowrap; }
`;
