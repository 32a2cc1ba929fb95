import { mkdirSync } from "node:fs";
import { access, constants, lstat, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitCall, git, tryGit } from "./git.js";
import { eachOf, joined } from "./list-tree.js";
import { copyIndex } from "./own-repository.js";

/** What was in a workspace at one moment. */
export interface TreeState {
  /** The id of git's tree. */
  tree: string;
  /** Files that are too large, cannot be read, or have a name that git does not take. */
  leftOut: number;
}

/** The id of git's tree without entries. */
export const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** More than this is not read from a workspace: no patch can have it. */
const maxFileBytes = 16 * 1024 * 1024;
const maxBytes = 512 * 1024 * 1024;

/** Left out even if nothing says that they are to be ignored: what is in them is made from other files, and is huge. */
const alwaysIgnored = ["node_modules/", "__pycache__/", ".venv/"];

/** A private git directory. Its `index` has the files of `state`. */
export interface Beginning {
  gitDirectory: string;
  state: TreeState;
}

/**
 * Reads the state of a workspace, compared to its beginning. Files that are ignored are left out, untracked ones are not. What the agent did
 * to `.git` does not matter.
 */
export async function readTreeState(directory: string, beginning: Beginning): Promise<TreeState> {
  const { gitDirectory } = beginning;
  mkdirSync(join(gitDirectory, "info"), { recursive: true });
  await writeFile(join(gitDirectory, "info", "exclude"), `${alwaysIgnored.join("\n")}\n`);
  const index = join(gitDirectory, "state-index");
  await rm(index, { force: true });
  if (await exists(join(gitDirectory, "index"))) await copyIndex(join(gitDirectory, "index"), index);
  const work = await workTreeOf(directory, gitDirectory);
  // Nothing was there, and nothing is: many tasks only ask a question.
  if (beginning.state.tree === emptyTree && (await readdir(work)).length === 0) return beginning.state;
  return readInto(
    { directory: work, gitDirectory, index, budget: { bytes: maxBytes }, depth: 0 },
    beginning.state,
  );
}

/** Makes what `readTreeState` has just read the beginning. */
export async function beginHere({ gitDirectory }: Beginning, state: TreeState): Promise<Beginning> {
  const index = join(gitDirectory, "index");
  await rm(index, { force: true });
  // Git writes no index for a tree without entries.
  await rename(join(gitDirectory, "state-index"), index).catch(() => {});
  return { gitDirectory, state };
}

/**
 * From here on, submodules that were filled are directories like others: of a submodule, git only notes the commit, and what is changed in
 * it would be lost.
 */
export async function forgetSubmodules(directory: string, { gitDirectory }: Beginning): Promise<void> {
  if (!(await exists(join(directory, ".gitmodules")))) return;
  const index = join(gitDirectory, "index");
  const call = callFor({ directory, gitDirectory, index });
  const listed = (await git(["ls-files", "-z", "--stage"], call)).toString("utf8").split("\0");
  const submodules = listed
    .filter((line) => line.startsWith("160000 "))
    .map((line) => line.split("\t")[1] ?? "");
  const filled: string[] = [];
  for (const path of submodules) {
    if (await exists(join(directory, path, ".git"))) filled.push(path);
  }
  const input = filled.map((path) => `${path}\0`).join("");
  if (filled.length > 0) await git(["update-index", "-z", "--force-remove", "--stdin"], { ...call, input });
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

interface Reading {
  directory: string;
  gitDirectory: string;
  /** The file of the index to use. */
  index: string;
  budget: { bytes: number };
  /** How many repositories this one is in. */
  depth: number;
}

const maxDepth = 16;

async function readInto(reading: Reading, state?: TreeState): Promise<TreeState> {
  const call = callFor(reading);
  const listed = await git(["ls-files", "-z", "--others", "--modified", "--exclude-standard"], call);
  if (listed.length === 0 && state !== undefined) return { ...state, leftOut: 0 };
  const paths = uniquePathsOf(listed);
  let { fit, leftOut } = await sortOut(reading, paths);
  await addAll(reading, fit);
  for (const path of paths.filter(isDirectoryName)) leftOut += await readRepository(reading, path);
  const tree = (await git(["write-tree"], call)).toString("latin1").trim();
  return { tree, leftOut };
}

/**
 * A repository in the workspace, which the agent may have made. Git itself would only note its commit, so its files are added as those of
 * any other directory. Returns how many are left out.
 */
async function readRepository(reading: Reading, path: Buffer): Promise<number> {
  const name = path.subarray(0, -1).toString("utf8");
  const isPlain = Buffer.from(`${name}/`).equals(path);
  if (!isPlain || reading.depth === maxDepth) return 1;
  const index = `${reading.index}-in`;
  await rm(index, { force: true });
  const directory = join(reading.directory, name);
  const { tree, leftOut } = await readInto({ ...reading, directory, index, depth: reading.depth + 1 });
  await git(["read-tree", `--prefix=${name}/`, tree], callFor(reading));
  return leftOut;
}

function callFor({
  directory,
  gitDirectory,
  index,
}: Pick<Reading, "directory" | "gitDirectory" | "index">): GitCall {
  const env = { ...anyName, GIT_DIR: gitDirectory, GIT_WORK_TREE: directory, GIT_INDEX_FILE: index };
  return { cwd: directory, env };
}

/** Names that are dangerous on other systems are taken: nothing is checked out from here. */
const anyName = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.protectNTFS",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "core.protectHFS",
  GIT_CONFIG_VALUE_1: "false",
};

/** The workspace, or an empty directory if the agent has removed or replaced it. A link would lead us to what is not ours. */
async function workTreeOf(directory: string, gitDirectory: string): Promise<string> {
  const found = await lstat(directory).catch(() => undefined);
  if (found?.isDirectory()) return directory;
  const nothing = join(gitDirectory, "nothing");
  mkdirSync(nothing, { recursive: true });
  return nothing;
}

function isDirectoryName(path: Buffer): boolean {
  return path.at(-1) === 0x2f;
}

/** A file that is both modified and of another kind is listed twice. */
function uniquePathsOf(listed: Buffer): Buffer[] {
  const paths = new Map<string, Buffer>();
  for (let start = 0; start < listed.length; ) {
    const end = listed.indexOf(0, start);
    const path = listed.subarray(start, end);
    paths.set(path.toString("latin1"), path);
    start = end + 1;
  }
  return [...paths.values()];
}

async function sortOut(
  { directory, budget }: Reading,
  paths: readonly Buffer[],
): Promise<{ fit: Buffer[]; leftOut: number }> {
  const root = Buffer.from(directory);
  const fit: Buffer[] = [];
  let leftOut = 0;
  await eachOf(paths, async (path) => {
    if (isDirectoryName(path)) return;
    if (await isFit(joined(root, path), path, budget)) fit.push(path);
    else leftOut++;
  });
  return { fit: fit.sort(Buffer.compare), leftOut };
}

async function isFit(full: Buffer, path: Buffer, budget: { bytes: number }): Promise<boolean> {
  // Git refuses such names, because some file systems take them for `.git`.
  if (/(?:^|\/)\.git(?:\/|$)/i.test(path.toString("latin1"))) return false;
  const stats = await lstat(full).catch(() => undefined);
  // It was deleted, or a directory is there now: git notes that.
  if (stats === undefined || stats.isDirectory() || stats.isSymbolicLink()) return true;
  // A pipe, a socket or a device.
  if (!stats.isFile()) return false;
  if (stats.size > maxFileBytes || stats.size > budget.bytes) return false;
  budget.bytes -= stats.size;
  return access(full, constants.R_OK).then(
    () => true,
    () => false,
  );
}

/** Takes bytes as they are, whatever the attributes of a file say. */
const rawAttributes = "* -text !eol -ident -filter !working-tree-encoding\n";

/** Puts the files into the index. Attributes that the agent wrote may be impossible to follow; then they are not followed. */
async function addAll(reading: Reading, paths: readonly Buffer[]): Promise<void> {
  if (paths.length === 0) return;
  const input = Buffer.concat(paths.flatMap((path) => [path, zero]));
  const add = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
  const call = { ...callFor(reading), input };
  const { isSuccess } = await tryGit(add, call);
  if (isSuccess) return;
  await writeFile(join(reading.gitDirectory, "info", "attributes"), rawAttributes);
  await git(add, call);
}

const zero = Buffer.from([0]);
