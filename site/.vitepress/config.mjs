import { groups } from "../pages.mjs";
import { placeholder } from "../relative-base.mjs";
import { slug } from "../slug.mjs";

const address = (to) => `/${to.replace(/(?:index)?\.md$/, "")}`;

const sidebar = groups.map(({ title, pages }) => ({
  text: title,
  items: pages.map((page) => ({ text: page.title, link: address(page.to) })),
}));

/** Code that is only indented looks like other code: as a shell's, if it begins with a command. */
function fenceIndented(markdown) {
  markdown.core.ruler.push("fence_indented", ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === "code_block")) {
      token.type = "fence";
      token.markup = "```";
      token.info = /^(?:#|harness|npm|npx|node|git|eval|rm|HARNESS_\w+=)/.test(token.content) ? "sh" : "text";
    }
  });
}

/** `{{ }}` in inline code is text too. Vue would take it for an expression. */
function keepInlineCode(markdown) {
  markdown.core.ruler.push("keep_inline_code", ({ tokens }) => {
    for (const { children } of tokens)
      for (const token of children ?? []) if (token.type === "code_inline") token.attrSet("v-pre", "");
  });
}

/** The pages are made by `site/build.mjs`. Nothing is loaded from another host. */
export default {
  title: "harness",
  description: "Run any coding agent with one command and get one live, ordered, lossless stream of events.",
  base: placeholder,
  srcDir: "./dist/pages",
  outDir: "./dist/html",
  cacheDir: "./dist/cache",
  lang: "en",
  cleanUrls: false,
  lastUpdated: false,
  head: [
    ["meta", { name: "referrer", content: "no-referrer" }],
    ["link", { rel: "icon", href: "data:," }],
  ],
  markdown: {
    anchor: { slugify: slug },
    toc: { slugify: slug },
    headers: { slugify: slug },
    // An address in a sentence is an example, not a link.
    linkify: false,
    languageAlias: { jsonl: "json", mjs: "js" },
    // Names such as <id> and {{ }} in our pages are text, not components.
    html: false,
    config(markdown) {
      fenceIndented(markdown);
      keepInlineCode(markdown);
    },
  },
  // The index of the search is one file.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: { provider: "local", options: { detailedView: true } },
    outline: [2, 3],
    nav: groups.map(({ title, pages }) => ({ text: title, link: address(pages[0].to) })),
    sidebar,
    docFooter: { prev: "Before", next: "Next" },
    externalLinkIcon: true,
  },
};
