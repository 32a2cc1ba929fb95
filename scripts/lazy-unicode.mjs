/**
 * Makes the command start without tables of Unicode that only some texts need. V8 builds the table of all emoji when it
 * parses the expression that names it, and ICU reads its rules when a segmenter is made, even if nothing ever uses them:
 * together about 15 ms at every start. In the bundle, both are made at their first use.
 */
const emoji = "/^\\p{RGI_Emoji}$/v";
const lazyEmoji = `(() => {
  let made;
  return { test: (text) => (made ??= new RegExp("^\\\\p{RGI_Emoji}$", "v")).test(text) };
})()`;

const segmenter = "= new Intl.Segmenter();";
const lazySegmenter = `= (() => {
  let made;
  return { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };
})();`;

/** The plugin for the bundler. `test/cli/bundle.test.ts` notices tables that it has missed. */
export function lazyUnicode() {
  return {
    name: "lazy-unicode",
    transform(code) {
      if (!code.includes(emoji) && !code.includes(segmenter)) return null;
      return code.replaceAll(emoji, () => lazyEmoji).replaceAll(segmenter, () => lazySegmenter);
    },
  };
}
