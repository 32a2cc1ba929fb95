import { constants } from "node:os";
import { InvalidArgumentError } from "commander";
import type { Permissions } from "../agents/definition.js";

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
