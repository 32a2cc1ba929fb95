import { InvalidArgumentError } from "commander";
import { formatNames } from "../formats/formats.js";

/** Formats that are printed as the run goes on, and `json`, which is one line. */
export const streamFormats: readonly string[] = ["text", ...formatNames, "raw"];
/** Every way to print a run. */
export const printFormats: readonly string[] = [...streamFormats, "markdown"];

/** For a person who watches, rows; for a program that reads, lines of JSON. */
export const defaultFormat = process.stdout.isTTY ? "text" : "ndjson";
export const defaultFormatHelp = "text on a terminal, else ndjson";

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError("it must be a number above 0.");
  return value;
}

export function positiveInteger(text: string): number {
  const value = positiveNumber(text);
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError("it must be a whole number above 0.");
  return value;
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("it must be a whole number.");
  return value;
}

export function portNumber(text: string): number {
  const value = wholeNumber(text);
  if (value < 0 || value > 65_535) throw new InvalidArgumentError("it must be between 0 and 65535.");
  return value;
}
