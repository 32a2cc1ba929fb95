/** A text whose middle may have been left out. */
export interface CutText {
  head: string;
  /** Empty when nothing is left out. */
  tail: string;
  /** How many characters are missing between the two. */
  omitted: number;
}

/** The beginning and the end of a long text: what went wrong is said at the end. */
export function cutText(text: string, maxCharacters: number): CutText {
  if (text.length <= maxCharacters) return { head: text, tail: "", omitted: 0 };
  const tailLength = Math.floor(maxCharacters / 4);
  const headEnd = betweenPairs(text, maxCharacters - tailLength);
  const tailStart = Math.max(headEnd, betweenPairs(text, text.length - tailLength));
  return { head: text.slice(0, headEnd), tail: text.slice(tailStart), omitted: tailStart - headEnd };
}

/** A surrogate pair is never split. */
function betweenPairs(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}
