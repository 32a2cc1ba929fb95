import MarkdownIt from "markdown-it";
import { cleanText } from "../../../text/clean-text.js";
import type { Segment, Style } from "../line.js";

const parser = new MarkdownIt({ html: false, linkify: false, breaks: true });

type Token = ReturnType<typeof parser.parseInline>[number];

/** Looks, and what stands in their place where a terminal has no colours: the marks of the source. */
const looks: Readonly<Record<string, { style: Style; mark: string }>> = {
  strong: { style: "bold", mark: "**" },
  em: { style: "italic", mark: "*" },
  s: { style: "strike", mark: "~~" },
};

/**
 * The text of one or more lines with its emphasis, code and links. Line feeds stay. What is shown by a style loses its marks, but
 * only if there are colours. Nothing else is left out.
 */
export function parseSpans(source: string, hasColors: boolean, base?: Style): Segment[] {
  const spans: Segment[] = [];
  const styles: (Style | undefined)[] = [base];
  const links: Link[] = [];
  // The source is clean, but `&#13;` and `&#8238;` are characters only now.
  const add = (given: string, style = styles.at(-1)): void => {
    const text = cleanText(given);
    if (text !== "") spans.push({ text, style });
    for (const link of links) link.text += text;
  };
  for (const token of tokensOf(source)) {
    const look = looks[token.tag];
    if (look !== undefined && token.nesting !== 0) {
      if (!hasColors) add(token.markup || look.mark);
      if (token.nesting === 1) styles.push(look.style);
      else styles.pop();
    } else if (token.type === "link_open")
      links.push({ text: "", address: String(token.attrGet("href") ?? "") });
    else if (token.type === "link_close") {
      const link = links.pop();
      const address = link === undefined ? "" : addressOf(link);
      if (address !== "") add(` (${address})`, "dim");
    } else if (token.type === "code_inline")
      add(hasColors ? token.content : `${token.markup}${token.content}${token.markup}`, "accent");
    else if (token.type === "image") add(imageOf(token));
    else add(token.type === "softbreak" || token.type === "hardbreak" ? "\n" : token.content);
  }
  return spans;
}

interface Link {
  text: string;
  address: string;
}

/** Nothing if the text of the link is its address already. */
function addressOf({ text, address }: Link): string {
  const bare = (url: string): string => url.replace(/^mailto:/i, "").replace(/\/$/, "");
  return bare(decode(address)) === bare(text) || bare(address) === bare(text) ? "" : address;
}

function decode(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

function imageOf(token: Token): string {
  const address = String(token.attrGet("src") ?? "");
  return token.content === "" ? address : `${token.content} (${address})`;
}

/** True if every mark has found its partner: more lines cannot change how this looks. */
export function isSelfContained(source: string): boolean {
  if (!hasMarks(source)) return true;
  return tokensOf(source).every(({ type, content }) => type !== "text" || !/[*_`~[\]<]/.test(content));
}

/** False if the text is certainly shown as it is. */
export function hasMarks(source: string): boolean {
  return /[*_`~[\]<\\|]|&[#a-z]/i.test(source);
}

function tokensOf(source: string): readonly Token[] {
  return parser.parseInline(source, {})[0]?.children ?? [];
}
