/** The text without white space, for comparing texts whose parts were joined in different ways. */
export function withoutWhiteSpace(text: string): string {
  return text.replace(/\s+/g, "");
}
