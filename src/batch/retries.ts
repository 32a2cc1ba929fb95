import type { Failure, FailureKind } from "../events/failure.js";

/** Failures that pass by themselves, with the first delay before another try. It doubles with every try. */
const firstDelaysMs: Partial<Record<FailureKind, number>> = {
  rate_limit: 15_000,
  provider: 4_000,
  network: 4_000,
  stalled: 1_000,
};
const maxDelayMs = 5 * 60_000;
/** A limit that ends later is tried anyway: what an agent says about its end may be wrong. */
const maxLimitMs = 24 * 3_600_000;
/** Not all runs that wait for the end of a limit begin in the same moment. */
const spreadMs = 3_000;

/**
 * How long to wait before the next attempt, in milliseconds. Undefined: such a failure is not retried. `attempt` is the number of the one that
 * failed, from 1. A limit whose end is known is waited for. Other delays are drawn between a half and the whole, so that runs that
 * failed together do not come back together.
 */
export function retryDelay(
  failure: Failure,
  attempt: number,
  now: Date,
  random: () => number = Math.random,
): number | undefined {
  const first = firstDelaysMs[failure.kind];
  if (first === undefined) return undefined;
  const limitMs = limitDelay(failure, now);
  if (limitMs !== undefined) return Math.min(limitMs, maxLimitMs) + random() * spreadMs;
  const whole = Math.min(first * 2 ** (attempt - 1), maxDelayMs);
  return whole * (0.5 + random() / 2);
}

/** How long a limit still lasts. Undefined if its end is not known, or has passed and it failed nevertheless. */
export function limitDelay({ kind, retryAt }: Failure, now: Date): number | undefined {
  if (kind !== "rate_limit" || retryAt === undefined) return undefined;
  const left = Date.parse(retryAt) - now.getTime();
  return left > 0 ? left : undefined;
}

/** Failures that will not pass: every other cell of the agent would fail in the same way. */
export const hopelessKinds: ReadonlySet<FailureKind> = new Set([
  "auth",
  "config",
  "not_installed",
  "model_not_found",
]);

/** Failures of the account, the machine or the provider. They say nothing about what the agent can do. */
export const blamelessKinds: ReadonlySet<FailureKind> = new Set([
  ...hopelessKinds,
  "quota",
  "rate_limit",
  "provider",
  "network",
]);
