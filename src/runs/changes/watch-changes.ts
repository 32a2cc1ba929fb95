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
} from "./tree-state.js";
import { copyRepository, nestedIndexOf, readFactsAtStart } from "./user-repository.js";
import { writePatch } from "./write-patch.js";

/** A workspace whose changes are watched from a moment on. */
export interface ChangeWatch {
  /** What has changed since that moment. To be called once at a time. Rejects if that cannot be found out. */
  compare(signal: AbortSignal): Promise<Comparison>;
  /** Removes everything that was needed for it. Never rejects. */
  end(): Promise<void>;
}

export interface Comparison {
  changes: WorkspaceChanges;
  /** The same content has the same id. */
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
  const facts = await readFactsAtStart(workspace, { signal, hasOwnGroup: true });
  if (facts.isBare) return undefined;
  const own = await createPrivateDirectory();
  const gitDirectory = join(own.path, "git");
  const manner: ReadingManner = {
    limits,
    exclude: facts.exclude,
    objects: [join(workspace.commonDirectory, "objects")],
    how: { signal, hasOwnGroup: true, env: noSettings },
  };
  try {
    await copyRepository(gitDirectory, workspace, facts);
    await forgetSubmodules(workspace.root, { gitDirectory }, manner);
    const state = await readTreeState(
      workspace.root,
      { gitDirectory },
      { ...manner, indexOf: nestedIndexOf },
    );
    const beginning = await beginHere({ gitDirectory, state }, state);
    signal.throwIfAborted();
    return toWatch({ own, root: workspace.root, commit: facts.commit, beginning, manner, isTextOnly });
  } catch (error) {
    await own.remove();
    throw error;
  }
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
      const state = await readTreeState(root, beginning, { ...manner, how });
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
): Promise<Comparison> {
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
  return { changes, id: `${to.tree} ${to.leftOut}`, patchPath };
}
