import MarkdownIt from "markdown-it";
import { cleanText } from "../text/clean-text.js";
import { fence } from "./markdown-fence.js";

/** Reads Markdown with HTML allowed, to find out whether there is any. */
const reader = new MarkdownIt("default", { html: true });

type Token = ReturnType<typeof reader.parse>[number];

/** A longer text is not parsed: it would take too long. */
const longestRead = 200_000;

/**
 * An agent's Markdown as a quotation: whatever it leaves open (a fence, a list) ends with the quotation. HTML
 * and images are shown as source text: they could close what is around them, hide what
 * follows, or fetch something from the network.
 */
export function quoteMarkdown(text: string): string {
  const visible = cleanText(text).trim();
  if (!/<|!\[/.test(visible)) return prefix(visible);
  const plain = prefix(withoutImages(withoutHtml(visible)));
  if (visible.length > longestRead) return plain;
  const candidates = [prefix(visible), prefix(withoutImages(visible)), prefix(withoutHtml(visible)), plain];
  return candidates.find(isHarmless) ?? prefix(fence(visible));
}

function prefix(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

function withoutHtml(text: string): string {
  return text.replaceAll("<", "&lt;");
}

function withoutImages(text: string): string {
  return text.replaceAll("![", "!\\[");
}

function isHarmless(text: string): boolean {
  return reader.parse(text, {}).every(isHarmlessToken);
}

const harmful: ReadonlySet<string> = new Set(["html_block", "html_inline", "image"]);

function isHarmlessToken(token: Token): boolean {
  return !harmful.has(token.type) && (token.children ?? []).every(isHarmlessToken);
}
