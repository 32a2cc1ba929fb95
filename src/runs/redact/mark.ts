/** What replaces a secret. It contains no character that would break JSON. */
export function toRedactionMark(kind: string): string {
  return `[redacted ${kind}]`;
}
