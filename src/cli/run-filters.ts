import { InvalidArgumentError } from "commander";
import { parseTime } from "../runs/archive/parse-time.js";
import type { OptionDeclaration } from "./declarations.js";
import { notEmpty, positiveInteger } from "./option-values.js";

/** Which recorded runs are meant, for every command that takes more than one. */

/** A moment as people write it. */
export function moment(text: string): Date {
  const time = parseTime(text);
  if (time === undefined)
    throw new InvalidArgumentError("It must be an age such as 2h, 3d or 1w, or a date such as 2026-11-15.");
  return time;
}

/** A day means its end: `--until 2026-11-15` includes all of that day. */
function untilMoment(text: string): Date {
  const time = moment(text);
  if (!/^\d{4}-\d\d-\d\d$/.test(text.trim())) return time;
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + 1);
}

export const periodOptions = [
  {
    flags: "--since <time>",
    description: "only runs since then: 2h, 3d, 1w, or a date such as 2026-11-15",
    parse: moment,
  },
  {
    flags: "--until <time>",
    description: "only runs until then: an age or a date; a day is included",
    parse: untilMoment,
  },
  {
    flags: "--days <n>",
    description: "only runs of the last days, today included",
    parse: positiveInteger,
    conflicts: ["since"],
  },
] as const satisfies readonly OptionDeclaration[];

export const directoryOptions = [
  {
    flags: "--cwd <directory>",
    description: "only runs that worked in this directory or below it",
    parse: notEmpty,
  },
  {
    flags: "--here",
    description: "only runs that worked in the current directory or below it",
    conflicts: ["cwd"],
  },
] as const satisfies readonly OptionDeclaration[];

interface Period {
  since?: Date | undefined;
  before?: Date | undefined;
}

/** The period that the options mean. Days begin at midnight, where the user is. */
export function periodOf(flags: {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  readonly days: number | undefined;
}): Period {
  const { since, until, days } = flags;
  return { since: days === undefined ? since : startOfDays(days, new Date()), before: until };
}

/** The midnight at which the last `days` days began, with today as the last of them. */
export function startOfDays(days: number, now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
}

export function directoryFilter(flags: {
  readonly cwd: string | undefined;
  readonly here: boolean | undefined;
}): string | undefined {
  return flags.here ? process.cwd() : flags.cwd;
}
