/**
 * For lines that begin like a known record and are not parsed to their end. False if the line is torn, or if another
 * record is glued to it, which must not get lost. Within one record `}{"` can only occur at the end of a text. That is
 * rare, and such a line is parsed.
 */
export function isWholeRecord(line: string): boolean {
  return line.endsWith("}") && !line.includes('}{"');
}
