import { constants } from "node:os";
import { InvalidArgumentError } from "commander";
import type { Permissions } from "../agents/definition.js";
import { parseDuration } from "../text/duration.js";

export const permissionModes: readonly Permissions[] = ["full-access", "read-only"];

export function notEmpty(text: string): string {
  if (text.trim() === "")
    throw new InvalidArgumentError("It must not be empty; leave the option out instead.");
  return text;
}

export function toPositiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}

/** A length of time in milliseconds: `90s`, `10m`, `1h30m`; a plain number is seconds. */
export function lengthOfTime(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined)
    throw new InvalidArgumentError("It must be a length of time such as 90s, 10m or 1h30m, or seconds.");
  return milliseconds;
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
