import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { AgentDefinition } from "../agents/definition.js";
import type { Isolation } from "../agents/isolation.js";
import { HarnessError } from "../errors.js";
import { isObject } from "../text/fields.js";
import { parseJson } from "../text/parse-json.js";
import type { Environment } from "./files/user-directory.js";
import { writeAtomically } from "./files/write-atomically.js";

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

/** Tools that agents start need these to work as they do for the user. They are linked in if the home itself is moved. */
const toolFiles: readonly string[] = [
  ".gitconfig",
  ".config/git",
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
  ".local/share/mise",
  ".m2",
  ".gradle",
  ".docker",
  "go",
];

interface Link {
  from: string;
  to: string;
  /** Only these keys of a JSON file, in a file of their own. */
  keys?: readonly string[] | undefined;
}

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
  const userHome = env["HOME"] || homedir();
  const credentials = credentialLinks(isolation, { env, userHome, directory });
  const { variables, caches = [] } = isolation;
  const tools =
    variables["HOME"] === undefined ? [] : linksTo([...toolFiles, ...caches], userHome, directory);
  const targets = new Map<string, string>();
  return {
    directory,
    inherited: moved(env, isolation, directory),
    create() {
      mkdirSync(directory, { mode: 0o700 });
      for (const path of Object.values(variables))
        mkdirSync(join(directory, path), { recursive: true, mode: 0o700 });
      if (seed !== undefined) cpSync(seed, directory, { recursive: true, verbatimSymlinks: true });
      for (const one of [...credentials, ...tools]) if (bringIn(one)) targets.set(one.to, one.from);
    },
    keepCredentials() {
      for (const { to } of credentials) {
        const from = targets.get(to);
        if (from !== undefined) keepReplaced(from, to);
      }
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

function credentialLinks(
  { variables, credentials }: Isolation,
  { env, userHome, directory }: { env: Environment; userHome: string; directory: string },
): Link[] {
  return credentials.map(({ in: name, file, keys }) => {
    const path = variables[name] ?? "";
    const own = name === "HOME" ? userHome : env[name] || join(userHome, path);
    return { from: join(own, file), to: join(directory, path, file), keys };
  });
}

function linksTo(files: readonly string[], userHome: string, directory: string): Link[] {
  return files.map((file) => ({ from: join(userHome, file), to: join(directory, file) }));
}

/** False if there is nothing to link to, the seed has a file of its own there, or only keys were copied. */
function bringIn({ from, to, keys }: Link): boolean {
  if (!existsSync(from) || isThere(to)) return false;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  if (keys === undefined) symlinkSync(realpathSync(from), to);
  else copyKeys(from, to, keys);
  return keys === undefined;
}

/** A file that is not JSON has no keys: its agent could not read it either. */
function copyKeys(from: string, to: string, keys: readonly string[]): void {
  const content = parseJson(readFileSync(from, "utf8").replace(/^\s*\/\/.*$/gm, ""));
  if (!isObject(content)) return;
  const kept = keys.flatMap((key) => (content[key] === undefined ? [] : [[key, content[key]]]));
  writeFileSync(to, JSON.stringify(Object.fromEntries(kept)), { mode: 0o600, flag: "wx" });
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Many programs replace a file instead of writing to it. A renewed token would be lost with the home, and the old one may not be valid any more. */
function keepReplaced(from: string, to: string): void {
  try {
    if (!lstatSync(to, { throwIfNoEntry: false })?.isFile()) return;
    const own = realpathSync(from);
    if (statSync(to).mtimeMs > statSync(own).mtimeMs) writeAtomically(own, readFileSync(to, "utf8"));
  } catch {
    // The user's own file stays as it was.
  }
}

/** Refuses files of the user in directories above the workspace, which no variable moves. */
function refuseInherited(
  name: string,
  { inherited = [], inheritedOutsideRepositories = [] }: Isolation,
  cwd: string,
): void {
  const repository = repositoryOf(cwd);
  const files = repository === undefined ? [...inherited, ...inheritedOutsideRepositories] : inherited;
  for (let above = dirname(repository ?? resolve(cwd)); ; above = dirname(above)) {
    for (const file of files) {
      const path = join(above, file);
      if (!existsSync(path)) continue;
      const message = `${name} cannot be isolated here: it reads ${path}, because that is above the directory in which it works; work in another directory, or move the file`;
      throw new HarnessError("unsupported_option", message);
    }
    if (dirname(above) === above) return;
  }
}

/** The top of the repository that a directory is in. */
function repositoryOf(cwd: string): string | undefined {
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    if (existsSync(join(directory, ".git"))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

function requireDirectory(path: string): string {
  const absolute = resolve(path);
  if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) return absolute;
  throw new HarnessError("invalid_option", `home: there is no directory ${absolute}`);
}
