import type { Spent } from "../../story/create-summary.js";
import { formatOffset, formatShortCount, formatUsd } from "../../text/numbers.js";
import { cutEnd } from "./cut.js";
import type { Line } from "./line.js";
import { widthOf } from "./width.js";

/** What is going on right now. */
export interface Progress {
  /** Milliseconds since the start. */
  elapsed: number;
  activity: string;
  spent: Spent;
}

export const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** An activity that has to be cut keeps so many columns before a number has to go. */
const fewestColumns = 12;

/** What a terminal echoes when somebody types Ctrl-C must fit behind the row, or it breaks it. */
const echoColumns = 3;

export function toProgressLine({ elapsed, activity, spent }: Progress, frame: number, columns: number): Line {
  const beginning = `${frames[frame % frames.length]} ${formatOffset(elapsed)} `;
  const left = columns - echoColumns - widthOf(beginning);
  if (left < 2) return [{ text: cutEnd(beginning.trimEnd(), columns - echoColumns), style: "accent" }];
  let numbers = numbersOf(spent);
  const wanted = Math.min(widthOf(activity), fewestColumns);
  while (numbers.length > 0 && left - widthOf(numbers.join("")) < wanted) numbers = numbers.slice(0, -1);
  const tail = numbers.join("");
  return [
    { text: beginning, style: "accent" },
    { text: cutEnd(activity, left - widthOf(tail)) },
    { text: tail, style: "dim" },
  ];
}

function numbersOf({ tokens, costUsd }: Spent): string[] {
  const numbers: string[] = [];
  if (tokens !== undefined) numbers.push(` · ${formatShortCount(tokens)} tokens`);
  if (costUsd !== undefined) numbers.push(` · ${formatUsd(costUsd)}`);
  return numbers;
}
