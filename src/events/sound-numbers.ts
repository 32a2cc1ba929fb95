import type { JsonValue } from "../text/json.js";
import type { RunState } from "./run-state.js";
import type { TokenCounts } from "./usage.js";

/** Every token class. Not in `usage.ts`, whose schemas a run does not load. */
export const tokenClassNames = [
  "inputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "outputTokens",
  "reasoningTokens",
  "totalTokens",
] as const satisfies readonly (keyof TokenCounts)[];

/** More than any run can take: a larger number is a mistake of whoever reports it. */
const mostTokens = 1e12;
const mostUsd = 1e6;
const mostMs = 1e12;

/** True for a cost in US dollars that a run can have: not negative, and not absurdly high. */
export function isSoundCost(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= mostUsd;
}

/** True for milliseconds that a run can have taken. */
export function isSoundDuration(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= mostMs;
}

/** A sound cost; anything else counts as not reported. */
export function asCost(value: JsonValue | undefined): number | undefined {
  return isSoundCost(value) ? value : undefined;
}

function isSoundCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= mostTokens;
}

type Usage = NonNullable<RunState["usage"]>;
type Loose<T> = { [Key in keyof T]?: T[Key] | undefined };

/** The counts and cost without those that cannot be true: they count as not reported. */
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
