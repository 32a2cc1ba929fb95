/** What stands in the place of a secret. It leaves JSON what it was. */
export function toMark(kind: string): string {
  return `[redacted ${kind}]`;
}
