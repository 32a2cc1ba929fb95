import MarkdownIt from "markdown-it";
import { cleanText } from "../../text/clean-text.js";
import { escapeHtml } from "../../text/escape-html.js";
import { Markup } from "./markup.js";

/**
 * Markdown of the agent as HTML. markdown-it accepts no HTML (`html: false`): it escapes what it
 * does not make itself, so no tag of the agent can come through. Links may go to the web and to mail
 * addresses, nowhere else. Images are not fetched: they become links.
 */
const markdown = new MarkdownIt("default", {
  html: false,
  linkify: false,
  typographer: false,
  breaks: false,
});

const allowedLink = /^(?:https?:\/\/|mailto:)/i;
markdown.validateLink = (url) => allowedLink.test(url.trim());

markdown.renderer.rules["link_open"] = (tokens, index, options, _env, renderer) => {
  const token = tokens[index];
  if (token) token.attrs = linkAttributes(String(token.attrGet("href") ?? ""));
  return renderer.renderToken(tokens, index, options);
};

markdown.renderer.rules["image"] = (tokens, index) => {
  const token = tokens[index];
  const address = String(token?.attrGet("src") ?? "");
  const attributes = linkAttributes(address).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  return `<a class="image"${attributes.join("")}>image: ${escapeHtml(token?.content || address)}</a>`;
};

/** Checks the address again: markdown-it takes an empty one for valid. */
function linkAttributes(address: string): [string, string][] {
  if (!allowedLink.test(address)) return [];
  return [
    ["href", address],
    ["rel", "noopener noreferrer nofollow"],
    ["target", "_blank"],
  ];
}

/** Alignment of table cells is the only style that markdown-it writes; the page allows no style attribute. */
for (const cell of ["th_open", "td_open"]) {
  markdown.renderer.rules[cell] = (tokens, index, options, _env, renderer) => {
    const token = tokens[index];
    const align = /text-align:(left|right|center)/.exec(String(token?.attrGet("style") ?? ""))?.[1];
    if (token) token.attrs = align === undefined ? [] : [["class", align]];
    return renderer.renderToken(tokens, index, options);
  };
}

/** A longer text is shown as it is: rendering would take too long. */
export const longestMarkdown = 100_000;

export function renderMarkdown(text: string): Markup {
  return new Markup(markdown.render(cleanText(text)));
}
