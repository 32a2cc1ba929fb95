import type { Stats } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { problemOf, systemCode } from "../../errors.js";
import { eachOf, joined } from "../../runs/changes/each-of.js";
import { badWorkspace } from "../../runs/changes/git.js";

/** Something in a directory. Names are bytes: a file's name need not be UTF-8. */
export interface TreeEntry {
  /** Relative to the root, with `/`. */
  path: Buffer;
  kind: "file" | "directory" | "link";
  /** The permissions. */
  mode: number;
  /** Where a link leads, as it is written. */
  target?: Buffer;
}

export interface ListedTree {
  /** By path, byte by byte. A directory is before what is in it. */
  entries: TreeEntry[];
  /** Sockets, pipes and devices, which are not listed. */
  specials: string[];
}

/** Lists everything below a directory. Links are not followed. Throws a `HarnessError` that names what cannot be read. */
export async function listTree(
  root: Buffer,
  isLeftOut: (path: Buffer) => boolean = never,
): Promise<ListedTree> {
  const entries: TreeEntry[] = [];
  const specials: string[] = [];
  let directories: Buffer[] = [Buffer.alloc(0)];

  async function add(path: Buffer): Promise<TreeEntry | undefined> {
    const full = joined(root, path);
    const stats = await named(full, () => lstat(full));
    const kind = kindOf(stats);
    if (kind === undefined) specials.push(path.toString("utf8"));
    if (kind === undefined) return undefined;
    const entry: TreeEntry = { path, kind, mode: stats.mode & 0o7777 };
    if (kind === "link") entry.target = await named(full, () => readlink(full, "buffer"));
    entries.push(entry);
    return entry;
  }

  while (directories.length > 0) {
    const paths: Buffer[] = [];
    const below: Buffer[] = [];
    await eachOf(directories, async (directory) => {
      const full = joined(root, directory);
      const names = await named(full, () => readdir(full, "buffer"));
      for (const name of names) paths.push(joined(directory, name));
    });
    await eachOf(paths, async (path) => {
      const entry = isLeftOut(path) ? undefined : await add(path);
      if (entry?.kind === "directory") below.push(path);
    });
    directories = below;
  }
  entries.sort((one, other) => Buffer.compare(one.path, other.path));
  return { entries, specials: specials.sort() };
}

function never(): boolean {
  return false;
}

function kindOf(stats: Stats): TreeEntry["kind"] | undefined {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : undefined;
}

/** An error of the system as a sentence that names the file. */
export async function named<Result>(path: Buffer, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw badWorkspace(
      `${path.toString("utf8")} cannot be copied: ${problemOf(error)}; make it readable, or leave it out of the directory`,
      error,
    );
  }
}
