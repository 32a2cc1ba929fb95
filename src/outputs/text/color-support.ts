/** What decides whether colours are used. */
export interface ColorEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  isTerminal: boolean;
}

/**
 * `FORCE_COLOR` (anything but `0` or `false`) wins, then `NO_COLOR` (anything but empty), as Node itself
 * has it; otherwise a terminal that is not dumb has colours.
 */
export function hasColorSupport({ env, isTerminal }: ColorEnvironment): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (env["NO_COLOR"]) return false;
  return isTerminal && env["TERM"] !== "dumb";
}
