import type { Spent } from "../../story/spending.js";
import { formatOffset, formatShortCount, formatUsd } from "../../text/numbers.js";
import { cutEnd } from "./cut.js";
import type { Line } from "./line.js";
import { widthOf } from "./width.js";

/** What is going on now. */
export interface Progress {
  /** Milliseconds since the start. */
  elapsed: number;
  activity: string;
  /** How long the activity has lasted, in milliseconds. Undefined if that is not worth saying. */
  lasts: number | undefined;
  spent: Spent;
}

export const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** The activity keeps so many columns; numbers are dropped first. */
const fewestColumns = 12;

/** A terminal echoes `^C` behind the row. It must fit, or the row breaks. */
const echoColumns = 3;

/** Shorter activities are not timed: they are over before one has read it. */
const shortestTimed = 1000;

export function toProgressLine(progress: Progress, frame: number, columns: number): Line {
  const { elapsed, activity, lasts = 0, spent } = progress;
  const time = lasts < shortestTimed ? "" : ` ${formatOffset(lasts)}`;
  const beginning = `${frames[frame % frames.length]} ${formatOffset(elapsed)} `;
  const left = columns - echoColumns - widthOf(beginning);
  if (left < 2) return [{ text: cutEnd(beginning.trimEnd(), columns - echoColumns), style: "accent" }];
  let numbers = numbersOf(spent);
  const wanted = Math.min(widthOf(activity), fewestColumns) + widthOf(time);
  while (numbers.length > 0 && left - widthOf(numbers.join("")) < wanted) numbers = numbers.slice(0, -1);
  const tail = numbers.join("");
  return [
    { text: beginning, style: "accent" },
    { text: cutEnd(activity, Math.max(1, left - widthOf(time + tail))) },
    { text: cutEnd(time, left - 1) + tail, style: "dim" },
  ];
}

function numbersOf({ tokens, costUsd, costSource }: Spent): string[] {
  const numbers: string[] = [];
  if (tokens !== undefined) numbers.push(` · ${formatShortCount(tokens)} tokens`);
  if (costUsd !== undefined)
    numbers.push(` · ${formatUsd(costUsd)}${costSource === undefined ? "" : " estimated"}`);
  return numbers;
}
