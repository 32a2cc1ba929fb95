/**
 * For lines that begin as a known record and are not parsed to their end: false when the line is torn, or when another
 * record is glued to it, which must not get lost. Within one record a brace can follow a brace only in a text, and a quote
 * there only at its end, which is rare: such a line is parsed.
 */
export function isWholeRecord(line: string): boolean {
  return line.endsWith("}") && !line.includes('}{"');
}
