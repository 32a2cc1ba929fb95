import { lstat, mkdir, readdir, rmdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { problemOf, systemCode } from "../../errors.js";
import { badWorkspace } from "../../runs/changes/git.js";
import { createPrivateRepository } from "../../runs/changes/private-repository.js";
import {
  type Beginning,
  beginHere,
  emptyTree,
  forgetSubmodules,
  readTreeState,
} from "../../runs/changes/tree-state.js";
import { writePatch } from "../../runs/changes/write-patch.js";
import { makeDirectories } from "../../runs/files/make-directories.js";
import type { Changes } from "../model/cell.js";
import type { Source } from "../model/source.js";
import { copyTree } from "./copy-tree.js";
import { checkOut } from "./own-repository.js";
import { removeTree } from "./remove-tree.js";
import { repositoryFacts } from "./repository.js";
import { readSnapshot, snapshotOf } from "./snapshot.js";

/** A directory in which one attempt works. Nobody else uses it. */
export interface OpenedWorkspace {
  /** Where the commands and the agent begin. */
  directory: string;
  /** For the commands and the agent: git must not find a repository that the workspace happens to be in. */
  env: Readonly<Record<string, string>>;
  /** What is there now is the beginning. To be called after the setup, if there was one: what it did is not the agent's. */
  baseline(): Promise<void>;
  /** Writes what has changed since the beginning to this file, as a patch for `git apply`. */
  changes(patchPath: string): Promise<Changes>;
  /** Removes it. */
  close(): Promise<void>;
}

export interface WorkspacePlace {
  /** The attempt's own directory, which is made for it. The workspace is in it. */
  directory: string;
  /** Where the snapshots of copies are. */
  snapshots: string;
}

/** Beside the workspace. It also marks the directory as ours. */
const privateName = ".harness-workspace";

/** Makes a workspace. Throws a `HarnessError`, and leaves nothing behind, if that is not possible. */
export async function openWorkspace(source: Source, place: WorkspacePlace): Promise<OpenedWorkspace> {
  const own = join(place.directory, privateName);
  const top = join(place.directory, nameFor(source));
  try {
    makeDirectories(own);
    const beginning = await fill(source, top, { own, snapshots: place.snapshots });
    return {
      directory: join(top, source.kind === "git" ? (source.directory ?? "") : ""),
      env: { GIT_CEILING_DIRECTORIES: place.directory },
      ...watchChanges(top, beginning, source.kind === "empty"),
      close: () => removeWorkspace(place.directory),
    };
  } catch (error) {
    await removeWorkspace(place.directory).catch(() => {});
    if (systemCode(error) === undefined) throw error;
    throw badWorkspace(`the workspace ${place.directory} cannot be made: ${problemOf(error)}`, error);
  }
}

/** Agents see the name of the directory, and tools name a project after it. */
function nameFor(source: Source): string {
  if (source.kind === "empty") return "workspace";
  const name = basename(source.kind === "git" ? source.repository : source.from);
  return ["", privateName].includes(name) ? "workspace" : name;
}

/** Makes the beginning when it is needed. */
type Begin = () => Promise<Beginning>;

async function fill(source: Source, top: string, at: { own: string; snapshots: string }): Promise<Begin> {
  const gitDirectory = join(at.own, "git");
  if (source.kind === "git") {
    const facts = await repositoryFacts(source.repository, source.commit);
    await checkOut(top, source.commit, facts);
    const repository = join(top, ".git");
    await createPrivateRepository(gitDirectory, {
      objects: facts.objects,
      index: join(repository, "index"),
      config: join(repository, "config"),
    });
    return async () => ({ gitDirectory, state: { tree: facts.tree, leftOut: 0 } });
  }
  if (source.kind === "copy") {
    const snapshot = snapshotOf(at.snapshots, source.hash);
    await copyTree(snapshot, top);
    const { gitDirectory: shared, state } = await readSnapshot(snapshot);
    await createPrivateRepository(gitDirectory, {
      objects: join(shared, "objects"),
      index: join(shared, "index"),
    });
    return async () => ({ gitDirectory, state });
  }
  await mkdir(top, { mode: 0o700 });
  return async () => {
    await createPrivateRepository(gitDirectory);
    return { gitDirectory, state: untouched };
  };
}

const untouched = { tree: emptyTree, leftOut: 0 };

/** Nothing was there, and nothing is: many tasks only ask a question. */
async function isUntouched(top: string): Promise<boolean> {
  const found = await lstat(top).catch(() => undefined);
  return found?.isDirectory() === true && (await readdir(top)).length === 0;
}

function watchChanges(
  top: string,
  begin: Begin,
  isEmpty: boolean,
): Pick<OpenedWorkspace, "baseline" | "changes"> {
  let beginning: Promise<Beginning> | undefined;

  return {
    async baseline() {
      beginning ??= begin();
      const before = await beginning;
      await forgetSubmodules(top, before);
      const state = await readTreeState(top, before);
      beginning = beginHere(before, state);
      await beginning;
    },
    async changes(patchPath) {
      if (beginning === undefined && isEmpty && (await isUntouched(top)))
        return writePatch(patchPath, { gitDirectory: "", from: untouched, to: untouched });
      beginning ??= begin();
      const before = await beginning;
      const state = await readTreeState(top, before);
      return writePatch(patchPath, { gitDirectory: before.gitDirectory, from: before.state, to: state });
    },
  };
}

/** The mark goes last: what is left by somebody who is killed in the middle is still known as ours. */
async function removeWorkspace(place: string): Promise<void> {
  const names = await readdir(place).catch(() => []);
  for (const name of names) if (name !== privateName) await removeTree(join(place, name));
  await removeTree(join(place, privateName));
  await removeTree(place);
}

/**
 * Removes what killed processes have left of their workspaces in `work`. Nothing else is touched: the directory may be one that
 * the user named. Repositories have no notes of workspaces that would have to be removed.
 */
export async function removeLeftWorkspaces(work: string): Promise<void> {
  const names = await readdir(work).catch(() => []);
  for (const name of names) {
    const path = join(work, name);
    const isOurs = await stat(join(path, privateName)).then(
      () => true,
      () => false,
    );
    if (isOurs) await removeWorkspace(path);
    // Killed between two steps. A directory in which something is stays.
    else if (runName.test(name)) await rmdir(path).catch(() => {});
  }
}

/** Directories of attempts are named by their runs. */
const runName = /^c[0-9a-f]{15}-/;
