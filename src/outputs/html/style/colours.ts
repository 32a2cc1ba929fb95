/** Colours for light and dark; each is checked to be readable on its ground. */
export const colours = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfbfa, #131316);
  --panel: light-dark(#ffffff, #1b1b1f);
  --sunken: light-dark(#f4f4f2, #101013);
  --line: light-dark(#e3e3e0, #2e2e34);
  --text: light-dark(#1d1d20, #e9e9ec);
  --dim: light-dark(#66666d, #9c9ca6);
  --accent: light-dark(#2f54d0, #8ea8ff);
  --good: light-dark(#1a7f4b, #5fce94);
  --bad: light-dark(#c02626, #ff8a84);
  --bad-ground: light-dark(#fdf0ef, #2c1818);
  --warn: light-dark(#8f5b00, #e8b750);
  --warn-ground: light-dark(#fdf6e6, #292011);
  --command: light-dark(#6d45c9, #b59cff);
  --read: light-dark(#2463c4, #82b1ff);
  --write: light-dark(#1a7f4b, #5fce94);
  --search: light-dark(#0f7684, #5cc9d8);
  --list: light-dark(#59697c, #a3b4c7);
  --skill: light-dark(#b03a86, #f09bd0);
  --subagent: light-dark(#a8480f, #f3a26d);
  --turn: light-dark(#2f54d0, #8ea8ff);
  --request: light-dark(#8f5b00, #e8b750);
  --plan: light-dark(#59697c, #a3b4c7);
  --tool: light-dark(#66666d, #9c9ca6);
  --added: light-dark(#e3f6ea, #14291d);
  --removed: light-dark(#fdeae9, #301a1a);
  --tokens-input: light-dark(#3f6fd8, #7aa2ff);
  --tokens-cache-write: light-dark(#8a63d2, #b79bff);
  --tokens-cache-read: light-dark(#a9c1ee, #3b547f);
  --tokens-output: light-dark(#d9762b, #f2a05e);
  --tokens-reasoning: light-dark(#f0c189, #7d5426);
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
@media print { :root, :root[data-theme] { color-scheme: light; --ground: #fff; } }
`;
