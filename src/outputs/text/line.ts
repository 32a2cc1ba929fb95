/** The meaning of a part of a row; `paint` decides how it looks. */
export type Style = "dim" | "bold" | "success" | "failure" | "warning" | "accent" | "italic" | "strike";

/** Text without any control characters. */
export interface Segment {
  text: string;
  style?: Style | undefined;
}

/** One row of the screen. */
export type Line = readonly Segment[];

export function plainTextOf(line: Line): string {
  return line.map((segment) => segment.text).join("");
}
