import type { JsonValue } from "../text/json.js";
import type { RunState } from "./run-state.js";
import { tokenClassNames } from "./token-class-names.js";

/** More than any run can take; what is above is a mistake of whoever reports it. */
const mostTokens = 1e12;
const mostUsd = 1e6;
const mostMs = 1e12;

/** A cost that can be one: not negative, and no number that nobody pays. */
export function isSoundCost(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= mostUsd;
}

/** Milliseconds that a run can have taken. */
export function isSoundDuration(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= mostMs;
}

/** A cost in US dollars that a run can have. */
export function asCost(value: JsonValue | undefined): number | undefined {
  return isSoundCost(value) ? value : undefined;
}

function isSoundCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= mostTokens;
}

type Usage = NonNullable<RunState["usage"]>;
type Loose<T> = { [Key in keyof T]?: T[Key] | undefined };

/** Numbers of tokens and money without those that cannot be true: they count as not reported. */
export function soundUsage<T extends Loose<Usage>>(usage: T): T {
  const isSound =
    (usage.costUsd === undefined || isSoundCost(usage.costUsd)) &&
    tokenClassNames.every((name) => usage[name] === undefined || isSoundCount(usage[name]));
  if (isSound) return usage;
  const sound = { ...usage };
  if (!isSoundCost(sound.costUsd)) delete sound.costUsd;
  for (const name of tokenClassNames) if (!isSoundCount(sound[name])) delete sound[name];
  return sound;
}
