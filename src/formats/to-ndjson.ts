/** Items as newline-delimited JSON: one item, one line. Empty when there are none. */
export function toNdjson(items: readonly unknown[]): string {
  let text = "";
  for (const item of items) text += `${JSON.stringify(item)}\n`;
  return text;
}
