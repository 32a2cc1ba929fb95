import { mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { AgentDefinition } from "../agents/definition.js";
import type { Isolation } from "../agents/isolation.js";
import { HarnessError } from "../errors.js";
import { type CarriedFile, carryIn, type HomeFile } from "./credential-files.js";
import type { Environment } from "./files/user-directory.js";
import { refuseInherited } from "./inherited-files.js";
import { copySeed, isBehindLink } from "./seed.js";

/** The fresh home of an isolated run. */
export interface IsolatedHome {
  directory: string;
  /** The environment to inherit: ours, with everything that leads to the user's own settings moved. */
  inherited: Environment;
  /** Makes the home. Throws if that fails. */
  create(): void;
  /** Before the home is removed: a credential that the agent has replaced, instead of writing to the link, reaches the user's own file. */
  keepCredentials(): void;
}

/**
 * Tools that agents start need these to work as they do for the user. They are linked in if the directory in which they are, by the
 * name of its variable, is moved.
 */
const toolFiles: Readonly<Record<string, readonly string[]>> = {
  HOME: [
    ".gitconfig",
    ".git-credentials",
    ".netrc",
    ".gnupg",
    ".ssh",
    ".npmrc",
    ".npm",
    ".yarnrc.yml",
    ".nvm",
    ".volta",
    ".pyenv",
    ".cargo",
    ".rustup",
    ".rbenv",
    ".asdf",
    ".m2",
    ".gradle",
    ".docker",
    "go",
    ".config/git",
    ".config/gh",
    ".local/share/mise",
  ],
  XDG_CONFIG_HOME: ["git", "gh"],
  XDG_DATA_HOME: ["mise"],
};

/** Plans the fresh home of an agent that has `isolation`. Nothing is written. Throws if settings of the user would leak in. */
export function planHome(
  { name, isolation }: AgentDefinition,
  place: { directory: string; cwd: string; seed: string | undefined },
  env: Environment = process.env,
): IsolatedHome {
  if (isolation === undefined) throw new HarnessError("unsupported_option", `${name} cannot be isolated`);
  refuseInherited(name, isolation, place.cwd);
  const seed = place.seed === undefined ? undefined : requireDirectory(place.seed);
  const directory = join(place.directory, "home");
  const { variables, caches = [] } = isolation;
  const toFile = homeFiles(variables, { env, directory });
  const credentials = isolation.credentials.map((one) => ({ ...one, ...toFile(one) }));
  const tools = Object.keys(variables).flatMap((variable) =>
    [...(toolFiles[variable] ?? []), ...(variable === "HOME" ? caches : [])].map((file) =>
      toFile({ in: variable, file }),
    ),
  );
  const carried: CarriedFile[] = [];
  return {
    directory,
    inherited: moved(env, isolation, directory),
    create() {
      mkdirSync(directory, { mode: 0o700 });
      for (const path of Object.values(variables))
        mkdirSync(join(directory, path), { recursive: true, mode: 0o700 });
      if (seed !== undefined) copySeed(seed, directory, env["HOME"] || homedir());
      const isOurs = ({ to }: HomeFile): boolean => !isBehindLink(directory, to);
      carried.push(...credentials.filter(isOurs).flatMap((file) => carryIn(file) ?? []));
      for (const file of tools.filter(isOurs)) carryIn(file);
    },
    keepCredentials() {
      for (const file of carried) keepIfPossible(file);
    },
  };
}

function moved(
  env: Environment,
  { variables, switches, removed = [] }: Isolation,
  home: string,
): Environment {
  const kept = Object.entries(env).filter(([name]) => !removed.includes(name));
  const directories = Object.entries(variables).map(([name, path]) => [name, join(home, path)]);
  return { ...Object.fromEntries(kept), ...Object.fromEntries(directories), ...switches };
}

/** Where a file of the user is, and where it is in the fresh home. */
function homeFiles(
  variables: Isolation["variables"],
  { env, directory }: { env: Environment; directory: string },
): (named: { in: string; file: string }) => HomeFile {
  const userHome = env["HOME"] || homedir();
  return ({ in: name, file }) => {
    const path = variables[name] ?? "";
    const own = name === "HOME" ? userHome : env[name] || join(userHome, path);
    return { from: join(own, file), to: join(directory, path, file) };
  };
}

function keepIfPossible(file: CarriedFile): void {
  try {
    file.keep();
  } catch {
    // The user's own file stays as it was.
  }
}

function requireDirectory(path: string): string {
  const absolute = resolve(path);
  if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) return absolute;
  throw new HarnessError("invalid_option", `home: there is no directory ${absolute}`);
}
