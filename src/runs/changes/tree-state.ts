import { mkdirSync } from "node:fs";
import { lstat, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitCall, git, tryGit } from "./git.js";
import { copyIndex, quoted } from "./private-repository.js";
import {
  countChanged,
  isDirectoryName,
  type ReadBudget,
  type ReadLimits,
  sortOut,
  uniquePathsOf,
} from "./sort-out.js";

/** What was in a workspace at one moment. */
export interface TreeState {
  /** The id of git's tree. */
  tree: string;
  /** Files that are too large, cannot be read, or have a name that git does not take. */
  leftOut: number;
  /** What was left out, with what shows whether it was changed. Only if that was asked for. */
  skipped?: ReadonlyMap<string, string>;
}

/** The id of git's tree without entries. */
export const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** More than this is not read from a workspace: no patch can have it. */
const maxFileBytes = 16 * 1024 * 1024;
const maxBytes = 512 * 1024 * 1024;

/** Left out even if nothing says that they are to be ignored: what is in them is made from other files, and is huge. */
const alwaysIgnored = ["node_modules/", "__pycache__/", ".venv/"];

/** How a workspace is read that is not ours alone: the user's own directory. */
export interface ReadingManner {
  limits?: ReadLimits | undefined;
  /** Lines for the private `info/exclude`. */
  exclude?: string | undefined;
  /** For calls of git. */
  how?: Pick<GitCall, "signal" | "hasOwnGroup" | "env"> | undefined;
  /**
   * Where the objects are that the index names. They are only read: with them in `alternates`, git would touch the time of those
   * that it need not write again. So the private repository gets every tree, and no file that is not changed.
   */
  objects?: string[] | undefined;
  /** Something is not as it was in the beginning. Called before it is read. */
  onDifference?: (() => Promise<void>) | undefined;
  /** True: only the index is written, not the tree. */
  isIndexOnly?: boolean | undefined;
  /** The index of a repository in the workspace: what it says about files spares reading them. Called before the agent runs. */
  indexOf?: ((directory: string) => Promise<NestedIndex | undefined>) | undefined;
}

export interface NestedIndex {
  index: string;
  objects: string;
}

/** A private git directory. Its `index` has the files of `state`. */
export interface Beginning {
  gitDirectory: string;
  state: TreeState;
}

/**
 * Reads the state of a workspace, compared to its beginning. Files that are ignored are left out, untracked ones are not. What the agent did
 * to `.git` does not matter.
 */
export async function readTreeState(
  directory: string,
  beginning: { gitDirectory: string; state?: TreeState },
  manner: ReadingManner = {},
): Promise<TreeState> {
  const { gitDirectory, state } = beginning;
  const index = stateIndexOf(gitDirectory);
  mkdirSync(join(gitDirectory, "info"), { recursive: true });
  await writeFile(
    join(gitDirectory, "info", "exclude"),
    `${manner.exclude ?? ""}\n${alwaysIgnored.join("\n")}\n`,
  );
  await copyBeginning(gitDirectory);
  const work = await workTreeOf(directory, gitDirectory);
  // Nothing was there, and nothing is: many tasks only ask a question.
  if (state?.tree === emptyTree && (await readdir(work)).length === 0) return state;
  const limits = manner.limits ?? { fileBytes: maxFileBytes, bytes: maxBytes };
  const skipped = manner.objects === undefined ? undefined : new Map<string, string>();
  const budget = { ...limits, skipped, before: state?.skipped };
  const read = await readInto({ directory: work, gitDirectory, index, budget, depth: 0, manner }, state);
  if (skipped === undefined) return read;
  return { ...read, leftOut: countChanged(skipped, state?.skipped), skipped };
}

function stateIndexOf(gitDirectory: string): string {
  return join(gitDirectory, "state-index");
}

async function copyBeginning(gitDirectory: string): Promise<void> {
  const index = stateIndexOf(gitDirectory);
  await rm(index, { force: true });
  if (await exists(join(gitDirectory, "index"))) await copyIndex(join(gitDirectory, "index"), index);
}

/** Writes the tree of the beginning, if only its index was written. To be called by `onDifference`. */
export async function writeBeginning(
  directory: string,
  gitDirectory: string,
  manner: ReadingManner,
): Promise<string> {
  const index = join(gitDirectory, "index");
  const tree = await writeTree({ directory, gitDirectory, index, manner });
  // The index now knows its trees, so that only those that differ are written again.
  await copyBeginning(gitDirectory);
  return tree;
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
export async function forgetSubmodules(
  directory: string,
  { gitDirectory }: Pick<Beginning, "gitDirectory">,
  manner: ReadingManner = {},
): Promise<void> {
  if (!(await exists(join(directory, ".gitmodules")))) return;
  const index = join(gitDirectory, "index");
  const call = callFor({ directory, gitDirectory, index, manner }, { reads: true });
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
  budget: ReadBudget;
  /** How many repositories this one is in. */
  depth: number;
  /** Below the workspace, with a slash at the end. */
  prefix?: Buffer;
  manner: ReadingManner;
}

const maxDepth = 16;

async function readInto(reading: Reading, state?: TreeState): Promise<TreeState> {
  const call = callFor(reading);
  const list = ["ls-files", "-z", "--others", "--modified", "--exclude-standard"];
  const listed = await git(list, callFor(reading, { reads: true }));
  if (listed.length === 0 && state !== undefined) return { ...state, leftOut: 0 };
  await reading.manner.onDifference?.();
  const paths = uniquePathsOf(listed);
  let { fit, leftOut } = await sortOut(reading, paths);
  await addAll(reading, fit);
  const repositories = paths.filter(isDirectoryName);
  for (const path of repositories) leftOut += await readRepository(reading, path);
  const isBorrowed = reading.manner.objects !== undefined;
  // What was read of the files of another repository is noted, so that they need not be read each time.
  if (isBorrowed && repositories.length > 0) await tryGit(["update-index", "-q", "--refresh"], call);
  const isIndexOnly = reading.manner.isIndexOnly === true && reading.depth === 0;
  return { tree: isIndexOnly ? "" : await writeTree(reading), leftOut };
}

async function writeTree(
  reading: Pick<Reading, "directory" | "gitDirectory" | "index" | "manner">,
): Promise<string> {
  const isBorrowed = reading.manner.objects !== undefined;
  const write = isBorrowed ? ["write-tree", "--missing-ok"] : ["write-tree"];
  const { isSuccess, output } = isBorrowed ? await tryGit(write, callFor(reading)) : notTried;
  // An index that leaves out directories is completed with their trees.
  const id = isSuccess ? output : await git(write, callFor(reading, { reads: true }));
  return id.toString("latin1").trim();
}

const notTried = { isSuccess: false, output: Buffer.alloc(0) };

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
  const known = await reading.manner.indexOf?.(directory);
  if (known !== undefined) {
    reading.manner.objects?.push(known.objects);
    await copyIndex(known.index, index);
  }
  const prefix = Buffer.concat([reading.prefix ?? Buffer.alloc(0), path]);
  const { tree, leftOut } = await readInto({
    ...reading,
    manner: { ...reading.manner, onDifference: undefined },
    directory,
    index,
    prefix,
    depth: reading.depth + 1,
  });
  await git(["read-tree", `--prefix=${name}/`, tree], callFor(reading));
  return leftOut;
}

/** `reads`: the call only reads, so it may see the objects of others. */
function callFor(
  {
    directory,
    gitDirectory,
    index,
    manner,
  }: Pick<Reading, "directory" | "gitDirectory" | "index" | "manner">,
  { reads = false } = {},
): GitCall {
  const env = {
    ...manner.how?.env,
    ...anyName,
    GIT_DIR: gitDirectory,
    GIT_WORK_TREE: directory,
    GIT_INDEX_FILE: index,
    ...(reads && objectsVariable(manner.objects)),
  };
  return { ...manner.how, cwd: directory, env };
}

/** Git reads objects there, too. */
export function objectsVariable(objects: readonly string[] = []): Record<string, string> {
  return objects.length === 0 ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects.map(quoted).join(":") };
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
  const again = await tryGit(add, call);
  // An index that leaves out directories is completed with their trees.
  if (!again.isSuccess) await git(add, { ...callFor(reading, { reads: true }), input });
}

const zero = Buffer.from([0]);
