import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

const kinds = {
  config: { variable: "XDG_CONFIG_HOME", fallback: [".config"] },
  state: { variable: "XDG_STATE_HOME", fallback: [".local", "state"] },
  cache: { variable: "XDG_CACHE_HOME", fallback: [".cache"] },
} as const;

/**
 * The directory for harness's own files of one kind, as the XDG specification defines it. The specification says that a
 * relative path in such a variable is ignored: it would point into the current directory.
 */
export function userDirectory(kind: keyof typeof kinds, env: Environment): string {
  const { variable, fallback } = kinds[kind];
  const given = env[variable];
  const base = given !== undefined && isAbsolute(given) ? given : join(env["HOME"] || homedir(), ...fallback);
  return join(base, "harness");
}
