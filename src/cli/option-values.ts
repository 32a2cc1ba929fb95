import { InvalidArgumentError } from "commander";
import { formatNames } from "../formats/formats.js";

/** Formats that are streams of lines. */
export const streamFormats: readonly string[] = [...formatNames, "raw"];

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
