import { everyLine, type LineRange, type LineSelection, oneRange, unknownLines } from "../line-selection.js";

const number = String.raw`[1-9]\d{0,8}`;
const print = new RegExp(
  `^(?:(?<start>${number})(?:\\s*,\\s*(?:(?<end>${number})|\\+(?<more>\\d{1,9})|(?<last>\\$)))?|(?<lastOnly>\\$))?\\s*p$`,
);
const quit = new RegExp(`^(?<line>${number})\\s*q$`);

/**
 * The lines that a script of `sed -n` prints: `10,20p`, `5p`, `10,$p`, `10,+5p`, `p`, `$p`, several of them, and a `q`
 * after the last line. Undefined for any other script.
 */
export function printedLines(script: string): LineSelection | undefined {
  const commands = script
    .split(/[;\n]/)
    .map((command) => command.trim())
    .filter((command) => command !== "");
  const quitLine = Number(quit.exec(commands.at(-1) ?? "")?.groups?.["line"] ?? Infinity);
  const selections = (quitLine === Infinity ? commands : commands.slice(0, -1)).map(toSelection);
  const ranges: LineRange[] = [];
  for (const selection of selections) {
    const range = selection?.ranges[0];
    if (range === undefined || (quitLine !== Infinity && (range.endLine ?? Infinity) > quitLine))
      return undefined;
    ranges.push(range);
  }
  if (ranges.length < 2) return selections[0];
  const areKnown = ranges.every(({ startLine }) => startLine !== undefined);
  return areKnown ? { ranges, isCountable: false } : unknownLines;
}

function toSelection(command: string): LineSelection | undefined {
  const groups = print.exec(command)?.groups;
  if (groups === undefined) return undefined;
  if (groups["lastOnly"] !== undefined) return unknownLines;
  if (groups["start"] === undefined) return everyLine;
  const startLine = Number(groups["start"]);
  if (groups["last"] !== undefined) return oneRange({ startLine });
  const endLine = Number(groups["end"] ?? startLine + Number(groups["more"] ?? 0));
  // An end before the start still prints the first line.
  return oneRange({ startLine, endLine: Math.max(startLine, endLine) });
}
