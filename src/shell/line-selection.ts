/** Absent start: from the first line. Absent end: to the last line. */
export interface LineRange {
  readonly startLine?: number;
  readonly endLine?: number;
}

/** The lines of its input that a program prints. */
export interface LineSelection {
  readonly ranges: readonly LineRange[];
  /** The output is one range of whole input lines in order, so a filter after it still counts lines of the file. */
  readonly isCountable: boolean;
}

export const everyLine: LineSelection = { ranges: [{}], isCountable: true };
export const unknownLines: LineSelection = { ranges: [{}], isCountable: false };

export function oneRange(range: LineRange): LineSelection {
  return { ranges: [range], isCountable: true };
}

/** What is left of `selected` after a filter that prints `filtered` of its input. */
export function narrow(selected: LineSelection, filtered: LineSelection): LineSelection {
  const [range] = selected.ranges;
  const [within] = filtered.ranges;
  if (!selected.isCountable || !filtered.isCountable || !range || !within) return uncountable(selected);
  if (within.startLine === undefined && within.endLine === undefined) return selected;
  const offset = (range.startLine ?? 1) - 1;
  const startLine = offset + (within.startLine ?? 1);
  const endLine = Math.min(range.endLine ?? Infinity, offset + (within.endLine ?? Infinity));
  if (startLine > endLine) return uncountable(selected);
  return oneRange(endLine === Infinity ? { startLine } : { startLine, endLine });
}

export function uncountable({ ranges }: LineSelection): LineSelection {
  return { ranges, isCountable: false };
}
