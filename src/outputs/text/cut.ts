import { ellipsis } from "../../text/cut.js";
import { lengthThatFits, widthOf } from "./width.js";

/** The beginning of a text that fits into the columns. */
export function cutEnd(text: string, columns: number): string {
  if (fits(text, columns)) return text;
  if (columns <= 0) return "";
  if (columns === 1) return ellipsis;
  return text.slice(0, lengthThatFits(text, columns - 1)).trimEnd() + ellipsis;
}

/** A third of the beginning and two thirds of the end: in a path, the file's name matters most. */
export function cutMiddle(text: string, columns: number): string {
  if (fits(text, columns)) return text;
  if (columns < 6) return cutStart(text, columns);
  const headColumns = Math.floor((columns - 1) / 3);
  const head = text.slice(0, lengthThatFits(text, headColumns)).trimEnd();
  return head + ellipsis + endThatFits(text, columns - 1 - widthOf(head));
}

function cutStart(text: string, columns: number): string {
  if (columns <= 0) return "";
  return columns === 1 ? ellipsis : ellipsis + endThatFits(text, columns - 1);
}

function fits(text: string, columns: number): boolean {
  if (columns === Number.POSITIVE_INFINITY) return true;
  return text.length <= columns * 16 + 64 && widthOf(text) <= columns;
}

const segmenter = new Intl.Segmenter();

function endThatFits(text: string, columns: number): string {
  const examined = text.slice(-(columns * 16 + 64));
  const clusters = Array.from(segmenter.segment(examined), ({ segment }) => segment);
  let width = 0;
  let start = clusters.length;
  while (start > 0) {
    width += widthOf(clusters[start - 1] ?? "");
    if (width > columns) break;
    start -= 1;
  }
  return clusters.slice(start).join("");
}
