import { constants } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import { suggest } from "../text/suggest.js";

/** For a person who watches, rows; for a program that reads, lines of JSON. */
export const defaultFormat = process.stdout.isTTY ? "text" : "ndjson";
export const defaultFormatHelp = "text on a terminal, else ndjson";

export const permissionModes: readonly string[] = ["full-access", "read-only"];

/** Words that other tools have for the same, so that they can be led to ours. */
const otherWords: Readonly<Record<string, string>> = {
  "stream-json": "ndjson",
  jsonl: "ndjson",
  md: "markdown",
  full: "full-access",
  yolo: "full-access",
  default: "full-access",
  plan: "read-only",
};

/** An option that takes one of a few words. A wrong one is told what there is, and what was probably meant. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser((word) => {
    if (choices.includes(word)) return word;
    const meant = suggest(word, choices) ?? otherWords[word.toLowerCase().replaceAll("_", "-")];
    const hint = meant !== undefined && choices.includes(meant) ? ` Did you mean ${meant}?` : "";
    throw new InvalidArgumentError(`It must be one of ${choices.join(", ")}.${hint}`);
  });
}

export function notEmpty(text: string): string {
  if (text.trim() === "")
    throw new InvalidArgumentError("It must not be empty; leave the option out instead.");
  return text;
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}

export function positiveInteger(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value) || value <= 0)
    throw new InvalidArgumentError("It must be a whole number above 0.");
  return value;
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("It must be a whole number.");
  return value;
}

export function portNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError("It must be a whole number between 0 and 65535.");
  return value;
}

/** `SIGTERM`, also when only `term` is given. */
export function signalName(text: string): string {
  const upper = text.trim().toUpperCase();
  const name = upper.startsWith("SIG") ? upper : `SIG${upper}`;
  if (Object.hasOwn(constants.signals, name)) return name;
  throw new InvalidArgumentError("It must be the name of a signal, such as SIGTERM or SIGKILL.");
}
