import { join } from "node:path";
import type { WorkspaceChanges } from "../../events/changes.js";
import type { GitWorkspace } from "./find-workspace.js";
import { type GitCall, git } from "./git.js";
import { maxListedFiles, parseChanges } from "./parse-changes.js";
import { createPrivateDirectory, type PrivateDirectory } from "./private-directory.js";
import {
  type Beginning,
  beginHere,
  forgetSubmodules,
  objectsVariable,
  type ReadingManner,
  readTreeState,
  type TreeState,
  writeBeginning,
} from "./tree-state.js";
import { copyRepository, nestedIndexOf, readCommit, readFactsAtStart } from "./user-repository.js";
import { writePatch } from "./write-patch.js";

/** A workspace whose changes are watched from a moment on. */
export interface ChangeWatch {
  /** What has changed since that moment. To be called once at a time. Rejects if that cannot be found out. */
  compare(signal: AbortSignal): Promise<FoundChanges>;
  /** Removes everything that was needed for it. Never rejects. */
  end(): Promise<void>;
}

export interface FoundChanges {
  changes: WorkspaceChanges;
  /** The same for the same content. */
  id: string;
  /** A file that the next comparison replaces. */
  patchPath: string;
}

export interface WatchChangesOptions {
  signal: AbortSignal;
  /** True: nothing of binary files is written, because secrets in them cannot be masked. */
  isTextOnly: boolean;
}

/** Patches have no more than this of one file, and what is not committed is kept beside it: as little as is useful. */
const limits = { fileBytes: 16 * 1024 * 1024, bytes: 128 * 1024 * 1024 };

/** No setting of the user reaches our calls of git: it could name a program that changes files as they are read. */
const noSettings = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

/**
 * Reads the state of a checkout: what is committed, what is changed, what is untracked. Undefined if it has no files of its own, as a bare
 * repository. Rejects if git cannot read it. Nothing of the repository is written: the index is copied, and objects go to a private
 * directory.
 */
export async function beginWatch(
  workspace: GitWorkspace,
  { signal, isTextOnly }: WatchChangesOptions,
): Promise<ChangeWatch | undefined> {
  const { root } = workspace;
  const how = { signal, hasOwnGroup: true };
  const own = await createPrivateDirectory(root);
  try {
    const gitDirectory = join(own.path, "git");
    const commit = readCommit(workspace, how);
    // It is awaited below, if nothing goes wrong before.
    commit.catch(() => {});
    const facts = await readFactsAtStart(workspace, how);
    const manner: ReadingManner = {
      limits,
      exclude: facts.exclude,
      objects: [join(workspace.commonDirectory, "objects")],
      how: { ...how, env: noSettings },
    };
    await copyRepository(gitDirectory, workspace, facts);
    await forgetSubmodules(root, { gitDirectory }, manner);
    const atStart = { ...manner, indexOf: nestedIndexOf, isIndexOnly: true };
    const state = await readTreeState(root, { gitDirectory }, atStart);
    const beginning = await beginHere({ gitDirectory, state }, state);
    const watched = { own, root, commit: await commit, beginning, manner, isTextOnly };
    signal.throwIfAborted();
    if (!facts.isBare) return toWatch(watched);
  } catch (error) {
    await own.remove();
    throw error;
  }
  await own.remove();
  return undefined;
}

interface Watched {
  own: PrivateDirectory;
  root: string;
  commit: string | undefined;
  beginning: Beginning;
  manner: ReadingManner;
  isTextOnly: boolean;
}

function toWatch(watched: Watched): ChangeWatch {
  const { own, root, beginning, manner } = watched;
  return {
    async compare(signal) {
      const how = { ...manner.how, signal };
      await own.touch();
      const onDifference = async (): Promise<void> => {
        if (beginning.state.tree === "")
          beginning.state.tree = await writeBeginning(root, beginning.gitDirectory, { ...manner, how });
      };
      const state = await readTreeState(root, beginning, { ...manner, how, onDifference });
      const reading = { ...how, env: { ...how.env, ...objectsVariable(manner.objects) } };
      return compareStates(watched, state, reading);
    },
    end: () => own.remove(),
  };
}

async function compareStates(
  { own, root, commit, beginning, isTextOnly }: Watched,
  to: TreeState,
  how: Pick<GitCall, "env" | "signal" | "hasOwnGroup">,
): Promise<FoundChanges> {
  const { gitDirectory, state: from } = beginning;
  const patchPath = join(own.path, "changes.patch");
  const compared = { gitDirectory, from: { ...from, leftOut: 0 }, to, how, isTextOnly };
  const list = ["diff-tree", "-r", "-z", "--raw", "--numstat", "--find-renames", from.tree, to.tree];
  const call = { ...how, cwd: gitDirectory, env: { ...how.env, GIT_DIR: gitDirectory } };
  const [patch, listed] = await Promise.all([
    writePatch(patchPath, compared),
    from.tree === to.tree ? Buffer.alloc(0) : git(list, call),
  ]);
  const files = parseChanges(listed);
  const sum = (key: "insertions" | "deletions"): number => files.reduce((all, file) => all + file[key], 0);
  const more = Math.max(0, files.length - maxListedFiles) + to.leftOut;
  const changes: WorkspaceChanges = {
    root,
    ...(commit !== undefined && { commit }),
    files: files.slice(0, maxListedFiles),
    insertions: sum("insertions"),
    deletions: sum("deletions"),
    ...(more > 0 && { moreFiles: more }),
    ...(patch.isCut && { isCut: true }),
  };
  const id = from.tree === to.tree && to.leftOut === 0 ? "nothing" : `${to.tree} ${to.leftOut}`;
  return { changes, id, patchPath };
}
