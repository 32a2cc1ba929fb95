/** Inputs, outputs, diffs and texts: the same in an exported page and in the live one. */
export const values = `
.value { position: relative; }
.value-head { display: flex; justify-content: space-between; align-items: center; gap: .5rem; margin-bottom: .2rem; min-height: 1.4rem; }
.value-title { font-size: 12px; font-weight: 500; color: var(--dim); }
.view-choice { display: flex; gap: .2rem; }
.view-choice button { padding: 0 .45rem; font-size: 12px; }
.tabs { position: absolute; top: 0; right: 0; display: flex; gap: .2rem; }
.tabs button { padding: 0 .4rem; font-size: 12px; color: var(--dim); }
.views { position: static; }
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
.plain { white-space: pre-wrap; }
.choices { padding-left: 1.2rem; list-style: disc; }
@media (max-width: 40rem) {
  .fields { grid-template-columns: minmax(0, 1fr); }
}
`;
