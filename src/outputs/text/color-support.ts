/** What decides whether colours are used. */
export interface ColorEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  isTerminal: boolean;
}

/**
 * `FORCE_COLOR` wins (`0` and `false` turn colours off), then `NO_COLOR` (unless it is empty), as in Node itself.
 * Otherwise a terminal has colours unless it is dumb.
 */
export function hasColorSupport({ env, isTerminal }: ColorEnvironment): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (env["NO_COLOR"]) return false;
  return isTerminal && env["TERM"] !== "dumb";
}
