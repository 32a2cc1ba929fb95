import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { lstat, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join, posix, relative } from "node:path";
import { problemOf } from "../../errors.js";
import { badWorkspace } from "../../runs/changes/git.js";
import { createPrivateRepository } from "../../runs/changes/private-repository.js";
import { type Beginning, beginHere, emptyTree, readTreeState } from "../../runs/changes/tree-state.js";
import { makeDirectories } from "../../runs/files/make-directories.js";
import type { Source } from "../model/source.js";
import { copyTree, hashTree } from "./copy-tree.js";
import type { TreeEntry } from "./list-tree.js";
import { removeTree } from "./remove-tree.js";

export interface Snapshot {
  source: Extract<Source, { kind: "copy" }>;
  warnings: string[];
}

/** Copies a directory as it is now, for all runs of a batch. `batch` is the batch's own directory, which may be in it. */
export async function takeSnapshot(
  from: string,
  { snapshots, batch }: { snapshots: string; batch: string },
): Promise<Snapshot> {
  await refuseUnfit(from);
  makeDirectories(snapshots);
  const draft = join(snapshots, `new-${randomUUID()}`);
  try {
    const own = ownDirectory(from, batch);
    const { entries, specials } = await copyTree(from, draft, (path) => own?.equals(path) ?? false);
    const hash = await hashTree(draft);
    await keep(draft, snapshotOf(snapshots, hash));
    return {
      source: { kind: "copy", from, hash },
      warnings: [...specialsWarning(from, specials), ...linksWarning(from, entries)],
    };
  } catch (error) {
    await removeTree(draft).catch(() => {});
    throw error;
  }
}

/** Where the snapshot with this hash is. */
export function snapshotOf(snapshots: string, hash: string): string {
  return join(snapshots, hash);
}

const known = new Map<string, Promise<Beginning>>();

/** What is in a snapshot, for all runs that begin with it: it is read once. */
export function readSnapshot(snapshot: string): Promise<Beginning> {
  const beginning = known.get(snapshot) ?? readOrFind(snapshot);
  known.set(snapshot, beginning);
  beginning.catch(() => known.delete(snapshot));
  return beginning;
}

async function readOrFind(snapshot: string): Promise<Beginning> {
  const gitDirectory = `${snapshot}.git`;
  const draft = `${gitDirectory}-${randomUUID()}`;
  const note = join(gitDirectory, stateName);
  if (!existsSync(note)) {
    await createPrivateRepository(draft);
    const empty = { gitDirectory: draft, state: { tree: emptyTree, leftOut: 0 } };
    const state = await readTreeState(snapshot, empty);
    await beginHere(empty, state);
    await writeFile(join(draft, stateName), `${state.tree} ${state.leftOut}`);
    // Another process may have been faster.
    await rename(draft, gitDirectory).catch(() => removeTree(draft));
  }
  const [tree = emptyTree, leftOut] = (await readFile(note, "utf8")).split(" ");
  return { gitDirectory, state: { tree, leftOut: Number(leftOut) } };
}

/** It is written last. */
const stateName = "harness-state";

/** Tasks with the same content share a snapshot. */
async function keep(draft: string, snapshot: string): Promise<void> {
  const exists = await stat(snapshot).catch(() => undefined);
  if (exists === undefined) await rename(draft, snapshot);
  else await removeTree(draft);
}

async function refuseUnfit(from: string): Promise<void> {
  const found = await stat(from).catch((error: unknown) => {
    throw badWorkspace(`${from} cannot be copied: ${problemOf(error)}`, error);
  });
  if (!found.isDirectory()) throw badWorkspace(`${from} cannot be copied: it is a file; name a directory`);
  const git = await lstat(join(from, ".git")).catch(() => undefined);
  // Git commands in the copy would change the repository that the file names.
  if (git?.isFile())
    throw badWorkspace(
      `${from} cannot be copied: it is a worktree or a submodule of a repository elsewhere; use { git = … }`,
    );
}

/**
 * The directory of all batches, relative to what is copied, if it is in it. Without this, a copy would contain itself, and every
 * batch would change the content of the next one. If the batches are directly in the copied directory, only this one is left out.
 */
function ownDirectory(from: string, batch: string): Buffer | undefined {
  const real = (path: string): string => {
    try {
      return realpathSync(path);
    } catch {
      return path;
    }
  };
  for (const candidate of [dirname(batch), batch]) {
    const below = relative(real(from), real(candidate));
    if (below !== "" && below !== ".." && !below.startsWith("../")) return Buffer.from(below);
  }
  return undefined;
}

function specialsWarning(from: string, specials: readonly string[]): string[] {
  const [first] = specials;
  if (first === undefined) return [];
  const more = specials.length === 1 ? "" : ` and ${specials.length - 1} more`;
  return [`${from}: ${first}${more} not copied: sockets, pipes and devices are left out`];
}

/** Through such a link, a run reaches what is not its own. */
function linksWarning(from: string, entries: readonly TreeEntry[]): string[] {
  const outside = entries.filter(leadsOutside);
  const [first] = outside;
  if (first === undefined) return [];
  const count = outside.length === 1 ? "1 link leads" : `${outside.length} links lead`;
  return [
    `${from}: ${count} outside of the copy, and runs can change what is there: ${first.path.toString("utf8")}`,
  ];
}

function leadsOutside({ path, target }: TreeEntry): boolean {
  if (target === undefined) return false;
  const to = target.toString("utf8");
  if (posix.isAbsolute(to)) return true;
  const end = posix.normalize(posix.join(posix.dirname(path.toString("utf8")), to));
  return end === ".." || end.startsWith("../");
}
