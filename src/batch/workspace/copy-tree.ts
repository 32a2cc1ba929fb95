import { createHash, type Hash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { chmod, copyFile, mkdir, symlink } from "node:fs/promises";
import { eachOf, joined } from "../../runs/changes/each-of.js";
import { type ListedTree, listTree, named, type TreeEntry } from "./list-tree.js";

/**
 * Copies a directory: files, permissions and links as they are. Blocks are shared with the original where the file system can do that.
 * `to` must not exist.
 */
export async function copyTree(
  from: string,
  to: string,
  isLeftOut?: (path: Buffer) => boolean,
): Promise<ListedTree> {
  const source = Buffer.from(from);
  const target = Buffer.from(to);
  const tree = await listTree(source, isLeftOut);
  const directories = tree.entries.filter((entry) => entry.kind === "directory");
  await mkdir(to, { mode: 0o700 });
  // Parents come first. They stay writable until everything is in them.
  for (const { path } of directories) await make(joined(target, path), (at) => mkdir(at, { mode: 0o700 }));
  await eachOf(tree.entries, (entry) => copyEntry(entry, source, target));
  await eachOf(directories.reverse(), (entry) => chmod(joined(target, entry.path), permissionsOf(entry)));
  return tree;
}

async function copyEntry(entry: TreeEntry, source: Buffer, target: Buffer): Promise<void> {
  const to = joined(target, entry.path);
  if (entry.kind === "file") {
    const from = joined(source, entry.path);
    await named(from, () => copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL));
    if (entry.mode !== permissionsOf(entry)) await chmod(to, permissionsOf(entry));
  } else if (entry.kind === "link") {
    await make(to, (at) => symlink(entry.target ?? "", at));
  }
}

/** Without the bits that give a program the rights of its owner. */
function permissionsOf({ mode }: TreeEntry): number {
  return mode & 0o777;
}

function make(path: Buffer, act: (path: Buffer) => Promise<unknown>): Promise<unknown> {
  return named(path, () => act(path));
}

/** A hash of everything that a copy keeps: paths, permissions, links and bytes. The same content gives the same hash on every machine. */
export async function hashTree(directory: string): Promise<string> {
  const root = Buffer.from(directory);
  const { entries } = await listTree(root);
  const contents = new Map<TreeEntry, Buffer>();
  await eachOf(entries, async (entry) => {
    if (entry.kind === "file") contents.set(entry, await hashFile(joined(root, entry.path)));
  });
  const hash = createHash("sha256");
  for (const entry of entries) {
    addField(hash, entry.path);
    addField(
      hash,
      Buffer.from(`${entry.kind} ${entry.kind === "link" ? "" : permissionsOf(entry).toString(8)}`),
    );
    addField(hash, contents.get(entry) ?? entry.target ?? Buffer.alloc(0));
  }
  return hash.digest("hex");
}

/** The length comes first, so that two fields never look like two others. */
function addField(hash: Hash, bytes: Buffer): void {
  hash.update(`${bytes.length}:`).update(bytes);
}

function hashFile(path: Buffer): Promise<Buffer> {
  return named(path, async () => {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path)) hash.update(chunk);
    return hash.digest();
  });
}
