import stringWidth from "string-width";

/** How many columns a text takes: East Asian characters and emoji take two, combining marks none. */
export function widthOf(text: string): number {
  return stringWidth(text, { countAnsiEscapeCodes: true });
}

const segmenter = new Intl.Segmenter();

/** The length of the longest beginning of a text that fits into so many columns. */
export function lengthThatFits(text: string, columns: number): number {
  if (text.length <= columns && isAscii(text)) return text.length;
  if (columns === Number.POSITIVE_INFINITY) return text.length;
  const head = text.slice(0, columns + 1);
  if (isAscii(head)) return Math.min(columns, text.length);
  // No more is looked at than can fit, were every character a long sequence; the text may be huge.
  const examined = text.slice(0, columns * 16 + 64);
  let width = 0;
  for (const { segment, index } of segmenter.segment(examined)) {
    width += widthOf(segment);
    if (width > columns) return index > 0 ? index : lengthWithinCluster(segment, columns);
  }
  return examined.length;
}

/** A single character that is wider than the row (a base with a crowd of marks) has to be split. */
function lengthWithinCluster(cluster: string, columns: number): number {
  let length = 0;
  for (const character of cluster) {
    if (widthOf(cluster.slice(0, length + character.length)) > columns) break;
    length += character.length;
  }
  return length;
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
