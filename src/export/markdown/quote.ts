import MarkdownIt from "markdown-it";
import { toVisibleText } from "../text/visible-text.js";

/** Reads Markdown as those do who allow HTML in it, to find out whether there is any. */
const reader = new MarkdownIt("default", { html: true });

/** Beyond this it is not worth the time: nothing in it is left to be understood as HTML or an image. */
const longestRead = 200_000;

/**
 * An agent's Markdown as a quotation: whatever it leaves open (a fence, a list) ends with the quotation. HTML
 * and images are shown as they were written; they would otherwise close what is around them, hide what
 * follows, or fetch something when the text is read.
 */
export function quote(text: string): string {
  const visible = toVisibleText(text).trim();
  const harmless = withoutImages(withoutHtml(visible));
  return harmless
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

function withoutHtml(text: string): string {
  return text.includes("<") && hasToken(text, ["html_block", "html_inline"])
    ? text.replaceAll("<", "&lt;")
    : text;
}

function withoutImages(text: string): string {
  return text.includes("![") && hasToken(text, ["image"]) ? text.replaceAll("![", "!\\[") : text;
}

function hasToken(text: string, types: readonly string[]): boolean {
  if (text.length > longestRead) return true;
  return reader
    .parse(text, {})
    .some(
      (token) => types.includes(token.type) || token.children?.some((child) => types.includes(child.type)),
    );
}
