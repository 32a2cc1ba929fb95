import { cutEnd, cutMiddle } from "./cut.js";
import { type Line, plainTextOf, type Segment } from "./line.js";
import { widthOf } from "./width.js";

/** A few words; several segments if they differ in style. */
export type Note = Segment | Line;

/** One thing that was done. */
export interface DeedRow {
  mark: Segment;
  verb: string;
  /** What it was done to. Without enough room a path loses its middle, anything else its end. */
  object: string;
  isPath?: boolean;
  /** How it went, the most important first. */
  notes?: readonly Note[];
}

export const marks = {
  success: { text: "✓", style: "success" },
  failure: { text: "✗", style: "failure" },
  open: { text: "•", style: "dim" },
  subagent: { text: "▸", style: "accent" },
  warning: { text: "!", style: "warning" },
  prompt: { text: ">", style: "accent" },
  request: { text: "?", style: "accent" },
  nextStep: { text: "→", style: "accent" },
} as const satisfies Record<string, Segment>;

const separator: Segment = { text: " · ", style: "dim" };
/** An object keeps so many columns; notes are dropped first. */
const fewestColumns = 16;

/** The deed as one row: `✗ Ran npm test  exit 1 · 12.3 s`. */
export function toDeedLine(deed: DeedRow, columns: number): Line {
  const verb = cutEnd(deed.verb, columns - 2);
  const left = columns - 2 - widthOf(verb) - 1;
  const wanted = widthOf(deed.object);
  let notes = deed.notes ?? [];
  while (notes.length > 0 && left - widthOfNotes(notes) < Math.min(wanted, fewestColumns))
    notes = notes.slice(0, -1);
  const room = left - widthOfNotes(notes);
  const object = room < 2 ? "" : deed.isPath ? cutMiddle(deed.object, room) : cutEnd(deed.object, room);
  return [
    deed.mark,
    { text: ` ${verb}`, style: "dim" },
    ...(object === "" ? [] : [{ text: ` ${object}` }]),
    ...notes.flatMap((note, index) => [index === 0 ? { text: "  " } : separator, ...[note].flat()]),
  ];
}

function widthOfNotes(notes: readonly Note[]): number {
  return notes.reduce(
    (sum, note, index) => sum + (index === 0 ? 2 : 3) + widthOf(plainTextOf([note].flat())),
    0,
  );
}
