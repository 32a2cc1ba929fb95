import { lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { readRegularFile } from "../files/regular-file.js";

/** A checkout of a git repository, found without git. */
export interface GitWorkspace {
  /** The top directory. */
  root: string;
  /** Where the index and `HEAD` of this checkout are. */
  gitDirectory: string;
  /** Where everything is that worktrees share: objects, configuration. */
  commonDirectory: string;
}

/**
 * The checkout that a directory is in: a repository, a linked worktree or a submodule. Undefined if there is none. Looks at a few files,
 * and starts nothing.
 *
 * A repository that contains the user's home, such as one for configuration files, is meant only if the directory is its top: whoever
 * works somewhere below it does not work on it.
 */
export function findGitWorkspace(cwd: string, home: string = homedir()): GitWorkspace | undefined {
  const start = realPath(cwd);
  if (start === undefined) return undefined;
  const realHome = realPath(home) ?? home;
  for (let root = start; ; root = dirname(root)) {
    const found = workspaceAt(root);
    if (found !== undefined) return root === start || !contains(root, realHome) ? found : undefined;
    if (dirname(root) === root) return undefined;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** For real paths. */
export function contains(directory: string, path: string): boolean {
  const below = relative(directory, path);
  return !isAbsolute(below) && below !== ".." && !below.startsWith("../");
}

/** The checkout whose top is this directory. */
export function workspaceAt(root: string): GitWorkspace | undefined {
  const gitDirectory = gitDirectoryIn(root);
  if (gitDirectory === undefined || !isFile(join(gitDirectory, "HEAD"))) return undefined;
  const common = firstLineOf(join(gitDirectory, "commondir"));
  const commonDirectory = common === undefined ? gitDirectory : resolve(gitDirectory, common);
  if (!isDirectory(join(commonDirectory, "objects"))) return undefined;
  return { root, gitDirectory, commonDirectory };
}

function gitDirectoryIn(root: string): string | undefined {
  const path = join(root, ".git");
  if (isDirectory(path)) return path;
  // Worktrees and submodules have a file that says where their repository is.
  const named = /^gitdir: (.+)$/.exec(firstLineOf(path) ?? "")?.[1];
  return named === undefined ? undefined : resolve(root, named);
}

function statsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isDirectory(path: string): boolean {
  const real = realPath(path);
  return real !== undefined && statsOf(real)?.isDirectory() === true;
}

/** `mostBytes`: a larger one does not count. */
export function isFile(path: string, mostBytes = Number.POSITIVE_INFINITY): boolean {
  const real = realPath(path);
  const stats = real === undefined ? undefined : statsOf(real);
  return stats?.isFile() === true && stats.size <= mostBytes;
}

/** These files have one short line. */
const longestNote = 16_384;

function firstLineOf(path: string): string | undefined {
  const stats = statsOf(path);
  if (!stats?.isFile() || stats.size > longestNote) return undefined;
  try {
    return readRegularFile(path).split(/\r?\n/)[0];
  } catch {
    return undefined;
  }
}
