import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readRegularFile } from "../files/regular-file.js";
import { type GitWorkspace, isFile, workspaceAt } from "./find-workspace.js";
import { badWorkspace, type GitCall, tryGit } from "./git.js";
import { createPrivateRepository, quoted } from "./private-repository.js";
import type { NestedIndex } from "./tree-state.js";

/** What is asked of the user's repository. Nothing in it is written, and nothing that it names is started. */
export interface RepositoryFactsAtStart {
  isBare: boolean;
  /** For the private repository: how files are compared here. */
  config: string;
  /** What is ignored besides the `.gitignore` files. */
  exclude: string;
}

type How = Pick<GitCall, "signal" | "hasOwnGroup">;

export async function readFactsAtStart(workspace: GitWorkspace, how: How): Promise<RepositoryFactsAtStart> {
  const listed = await tryGit(["config", "--list", "-z"], callIn(workspace, how));
  const settings = settingsIn(listed.output);
  return {
    isBare: settings.get("core.bare") === "true",
    config: configOf(settings),
    exclude: readIfFile(join(workspace.commonDirectory, "info", "exclude")),
  };
}

/** The commit that is checked out. Undefined if there is none yet. */
export async function readCommit(workspace: GitWorkspace, how: How): Promise<string | undefined> {
  const query = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
  const { isSuccess, output } = await tryGit(query, callIn(workspace, how));
  const commit = output.toString("latin1").trim();
  return isSuccess && commit !== "" ? commit : undefined;
}

function callIn({ root, gitDirectory }: GitWorkspace, how: How): GitCall {
  return { ...how, cwd: root, env: { GIT_DIR: gitDirectory } };
}

/** The last value of a setting counts. */
function settingsIn(output: Buffer): Map<string, string> {
  const entries = output.toString("utf8").split("\0");
  return new Map(
    entries.map((entry) => {
      const end = entry.indexOf("\n");
      return end === -1 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

/** Settings that say what the file system can do. No other setting of the repository or the user reaches our calls of git. */
const fileSystem: readonly string[] = ["filemode", "symlinks", "ignorecase", "precomposeunicode"];
const truth = /^(?:true|false|yes|no|on|off|0|1)$/i;

function configOf(settings: ReadonlyMap<string, string>): string {
  const format = settings.get("extensions.objectformat");
  const isSha256 = format?.toLowerCase() === "sha256";
  const lines = fileSystem.flatMap((name) => {
    const value = settings.get(`core.${name}`) ?? "";
    return truth.test(value) ? [`\t${name} = ${value}`] : [];
  });
  const ignored = settings.get("core.excludesfile") ?? "";
  return [
    "[core]",
    `\trepositoryformatversion = ${isSha256 ? 1 : 0}`,
    "\tbare = false",
    ...lines,
    // Git itself finds what `~` means.
    ...(ignored === "" ? [] : [`\texcludesfile = ${quoted(ignored)}`]),
    ...(isSha256 ? ["[extensions]", "\tobjectformat = sha256"] : []),
    "",
  ].join("\n");
}

const longestExclude = 1024 * 1024;

function readIfFile(path: string): string {
  try {
    return isFile(path, longestExclude) ? readRegularFile(path) : "";
  } catch {
    return "";
  }
}

/** An index has about 100 bytes per file. A copy of a larger one, which somebody made, would fill the disk. */
const largestIndex = 1024 * 1024 * 1024;

/** A private repository that begins with the index of the user's. */
export async function copyRepository(
  gitDirectory: string,
  workspace: GitWorkspace,
  { config }: RepositoryFactsAtStart,
): Promise<void> {
  const index = join(workspace.gitDirectory, "index");
  if (isFile(index) && !isFile(index, largestIndex)) throw badWorkspace(`${index} is too large to be copied`);
  await createPrivateRepository(gitDirectory, isFile(index) ? { index } : {});
  await writeFile(join(gitDirectory, "config"), config);
  await copySharedIndexes(workspace.gitDirectory, gitDirectory);
}

/** A split index is completed by others. */
async function copySharedIndexes(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => []);
  for (const name of names) {
    if (name.startsWith("sharedindex.") && isFile(join(from, name), largestIndex))
      await copyFile(join(from, name), join(to, name));
  }
}

/** The index of a repository in the workspace: a submodule, or one that nobody told git about. */
export async function nestedIndexOf(directory: string): Promise<NestedIndex | undefined> {
  const found = workspaceAt(directory);
  if (found === undefined) return undefined;
  const index = join(found.gitDirectory, "index");
  return isFile(index, largestIndex) ? { index, objects: join(found.commonDirectory, "objects") } : undefined;
}
