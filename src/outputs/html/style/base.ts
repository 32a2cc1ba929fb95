export const base = `
* { box-sizing: border-box; }
html { scroll-padding-top: 7rem; }
body {
  margin: 0 auto; padding: 1.5rem clamp(.75rem, 3vw, 2rem) 3rem; max-width: 72rem;
  background: var(--ground); color: var(--text);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h4, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
ol, ul { list-style: none; }
small { font-size: .82em; color: var(--dim); font-weight: 400; }
code, pre, kbd { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; }
pre {
  margin: 0; padding: .6rem .75rem; max-height: 28rem; overflow: auto; border-radius: 6px;
  background: var(--sunken); line-height: 1.45; white-space: pre-wrap; tab-size: 4;
}
a { color: var(--accent); }
button, input {
  font: inherit; font-size: 13px; color: inherit; background: var(--panel);
  border: 1px solid var(--line); border-radius: 6px; padding: .2rem .55rem;
}
button { cursor: pointer; }
button:hover { border-color: var(--dim); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: 4px; }
summary { cursor: pointer; }
[hidden] { display: none !important; }
html:not(.has-script) .needs-script { display: none; }
.nothing { color: var(--dim); font-size: 13px; }
.omission { display: block; margin: .3rem 0; color: var(--warn); font-style: italic; }
footer { margin-top: 2.5rem; padding-top: .75rem; border-top: 1px solid var(--line); color: var(--dim); font-size: 13px; }
kbd { padding: 0 .3em; border: 1px solid var(--line); border-radius: 3px; }
@media print {
  body { max-width: none; padding: 0; font-size: 11pt; }
  .toolbar, .keys, .tabs { display: none !important; }
  pre { max-height: none; }
}
`;
