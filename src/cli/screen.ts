import { hasColorSupport } from "../outputs/text/color-support.js";
import type { Style } from "../outputs/text/line.js";

/** What is known about the place that rows for people are printed on. */
export interface Screen {
  /** Infinite unless it is a terminal: what reads a pipe needs whole values. */
  columns: number;
  hasColors: boolean;
  isTerminal: boolean;
}

/** Standard output as a screen. */
export function standardScreen(): Screen {
  const { isTTY = false, columns } = process.stdout;
  return {
    columns: isTTY ? columns || 80 : Number.POSITIVE_INFINITY,
    hasColors: hasColorSupport({ env: process.env, isTerminal: isTTY }),
    isTerminal: isTTY,
  };
}

/** How the outcome of a run is coloured. */
export function styleOfOutcome(outcome: string): Style {
  if (outcome === "completed") return "success";
  if (outcome === "running") return "accent";
  return outcome === "failed" ? "failure" : "warning";
}
