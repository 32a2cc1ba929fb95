import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

const kinds = {
  config: { read: (env: Environment) => env["XDG_CONFIG_HOME"], fallback: [".config"] },
  data: { read: (env: Environment) => env["XDG_DATA_HOME"], fallback: [".local", "share"] },
  state: { read: (env: Environment) => env["XDG_STATE_HOME"], fallback: [".local", "state"] },
  cache: { read: (env: Environment) => env["XDG_CACHE_HOME"], fallback: [".cache"] },
};

/**
 * The directory for harness's own files of one kind, as the XDG specification defines it. The specification says that a
 * relative path in such a variable is ignored: it would point into the current directory.
 */
export function userDirectory(kind: keyof typeof kinds, env: Environment): string {
  const { read, fallback } = kinds[kind];
  const given = read(env);
  const base = given !== undefined && isAbsolute(given) ? given : join(env["HOME"] || homedir(), ...fallback);
  return join(base, "harness");
}
