import { wrapText } from "../../outputs/text/wrap.js";

/**
 * The text of a topic for a terminal of this width. Paragraphs are wrapped. The second column of a row is wrapped below itself. Other
 * indented lines are examples and stay as they are, so that they can be copied.
 */
export function fitText(text: string, columns: number): string {
  const lines = text.split("\n");
  if (lines.every((line) => line.length <= columns)) return text;
  return joinParagraphs(lines)
    .flatMap((line) => (line.length <= columns ? [line] : fitLine(line, columns)))
    .join("\n");
}

function joinParagraphs(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last !== undefined && isProse(last) && isProse(line)) joined[joined.length - 1] = `${last} ${line}`;
    else joined.push(line);
  }
  return joined;
}

function isProse(line: string): boolean {
  return /^\S/.test(line);
}

/** A name, and at least two spaces before what is said about it. */
const label = /^\s+\S+(?: \S+)*\s{2,}(?!=)/;

function fitLine(line: string, columns: number): string[] {
  if (isProse(line)) return wrapText(line, columns);
  const begin = label.exec(line)?.[0] ?? line;
  if (begin.length > columns / 2) return [line];
  const rows = wrapText(line.slice(begin.length), columns - begin.length);
  return rows.map((row, index) => (index === 0 ? begin : " ".repeat(begin.length)) + row);
}
