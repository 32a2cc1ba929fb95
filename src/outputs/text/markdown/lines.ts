/** What a line of Markdown is, by itself. */
export type MarkdownLine =
  | { kind: "blank" }
  | { kind: "heading"; level: number; text: string }
  | { kind: "rule" }
  | { kind: "fence"; indent: number; mark: string; language: string }
  | { kind: "quote"; depth: number; text: string }
  | { kind: "item"; indent: number; marker: string; offset: number; text: string }
  | { kind: "text"; indent: number; text: string };

/* A line may be as long as an agent likes: none of these takes more than one way through it. */
const heading = /^ {0,3}(#{1,6})(?![^ \t])/;
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const fence = /^([ \t]*)(`{3,}|~{3,}(?!~))([^`]*)$/;
const quote = /^ {0,3}((?:>[ \t]?)+)(.*)$/;
const item = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*)|[ \t]*)$/;

export function readLine(line: string): MarkdownLine {
  if (line.trim() === "") return { kind: "blank" };
  const [start = "", marks] = heading.exec(line) ?? [];
  if (marks !== undefined)
    return { kind: "heading", level: marks.length, text: titleOf(line.slice(start.length)) };
  if (rule.test(line)) return { kind: "rule" };
  const [, before = "", mark, language = ""] = fence.exec(line) ?? [];
  if (mark !== undefined)
    return { kind: "fence", indent: widthOfIndent(before), mark, language: language.trim() };
  const [, signs, quoted = ""] = quote.exec(line) ?? [];
  if (signs !== undefined) return { kind: "quote", depth: signs.replace(/[^>]/g, "").length, text: quoted };
  const [, space = "", marker, gap = " ", text = ""] = item.exec(line) ?? [];
  if (marker !== undefined) {
    const indent = widthOfIndent(space);
    return { kind: "item", indent, marker, offset: indent + marker.length + gap.length, text };
  }
  const content = line.trimStart();
  return { kind: "text", indent: widthOfIndent(line.slice(0, line.length - content.length)), text: content };
}

/** Without the marks that may close a heading. */
function titleOf(text: string): string {
  const title = text.trim();
  let end = title.length;
  while (title[end - 1] === "#") end -= 1;
  return end === 0 || /[ \t]/.test(title[end - 1] ?? "") ? title.slice(0, end).trimEnd() : title;
}

/** Columns of white space. */
export function widthOfIndent(space: string): number {
  return space.replaceAll("\t", "    ").length;
}

/** True if the line ends a block of code that began with this mark. */
export function closesFence(line: string, mark: string): boolean {
  const found = line.trim();
  return found.length >= mark.length && found === (mark[0] ?? "").repeat(found.length);
}

/** The row below the titles of a table: `|---|:--:|`. */
export function readDelimiters(line: string): Alignment[] | undefined {
  if (!/^[ \t|:-]+$/.test(line) || !line.includes("|")) return undefined;
  const cells = readCells(line);
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map((cell) => {
    if (!cell.endsWith(":")) return "left";
    return cell.startsWith(":") ? "center" : "right";
  });
}

export type Alignment = "left" | "right" | "center";

/** The cells of a row. `\|` is a character of a cell. */
export function readCells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}
