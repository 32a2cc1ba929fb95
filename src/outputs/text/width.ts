import stringWidth from "string-width";

/** How many columns a text takes: East Asian characters and emoji take two, combining marks none. */
export function widthOf(text: string): number {
  if (isNarrow(text)) return text.length;
  return stringWidth(text, { countAnsiEscapeCodes: true });
}

const segmenter = new Intl.Segmenter();

/** The length of the longest beginning of a text that fits into so many columns. */
export function lengthThatFits(text: string, columns: number): number {
  if (text.length <= columns && isNarrow(text)) return text.length;
  if (columns === Number.POSITIVE_INFINITY) return text.length;
  const head = text.slice(0, columns + 1);
  if (isNarrow(head)) return Math.min(columns, text.length);
  // The text may be huge: only as much as could fit is examined, even if every character is a long sequence.
  const examined = text.slice(0, columns * 16 + 64);
  let width = 0;
  for (const { segment, index } of segmenter.segment(examined)) {
    width += widthOf(segment);
    if (width > columns) return index > 0 ? index : lengthWithinCluster(segment, columns);
  }
  return examined.length;
}

/** A single cluster that is wider than the row (a letter with many marks) has to be split. */
function lengthWithinCluster(cluster: string, columns: number): number {
  let length = 0;
  for (const character of cluster) {
    if (widthOf(cluster.slice(0, length + character.length)) > columns) break;
    length += character.length;
  }
  return length;
}

/**
 * Latin letters, dashes, quotes, arrows, frames and the marks of our own rows: one column each, and none of them joins
 * others. Nearly every row consists of these, and looking for clusters takes a hundred times as long.
 */
const narrow =
  /^[ -~\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2190-\u21ff\u2500-\u257f\u25b8\u2713\u2717\u2800-\u28ff]*$/;

function isNarrow(text: string): boolean {
  return narrow.test(text);
}
