import { appendFile, copyFile, mkdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { git } from "./git.js";
import type { RepositoryFacts } from "./repository.js";

/**
 * Makes a repository that borrows the objects of another one, as `git clone --shared` does, and checks a commit out.
 *
 * A linked worktree would share the branches, the stash, the tags and the configuration of the user's repository: `git stash pop` in one run
 * would get what another run has stashed, a branch of the first repetition would be in the way of the second, and a fix in a
 * later commit would be found with `git log --all`. A repository of its own has only the history of its commit, and nothing that is done in it
 * reaches the user's.
 */
export async function checkOut(directory: string, commit: string, facts: RepositoryFacts): Promise<void> {
  const gitDirectory = join(directory, ".git");
  await mkdir(directory, { mode: 0o700 });
  // Git finds out what the file system can do.
  const init = ["init", "-q", "--template=", "-b", "main", `--object-format=${facts.format}`];
  await git(init, { cwd: directory });
  await borrowHistory(gitDirectory, facts);
  const identity = `[user]\n\tname = ${quoted(facts.name)}\n\temail = ${quoted(facts.email)}\n`;
  await appendFile(join(gitDirectory, "config"), identity);
  await writeFile(join(gitDirectory, "HEAD"), `${commit}\n`);
  // Plumbing: no hook, no branch, no entry in a reflog.
  await git(["read-tree", "--reset", "-u", commit], { cwd: directory });
}

/** The history of the commit with its tags, without a copy of it. */
export async function borrowHistory(gitDirectory: string, facts: RepositoryFacts): Promise<void> {
  await borrowObjects(gitDirectory, facts.objects);
  await writeFile(join(gitDirectory, "packed-refs"), facts.tags);
  if (facts.shallow !== undefined) await writeFile(join(gitDirectory, "shallow"), facts.shallow);
}

async function borrowObjects(gitDirectory: string, objects: string): Promise<void> {
  await mkdir(join(gitDirectory, "objects", "info"), { recursive: true });
  await writeFile(join(gitDirectory, "objects", "info", "alternates"), `${quoted(objects)}\n`);
}

/** In quotes, as git reads a path in `alternates` and a value in `config`. */
function quoted(text: string): string {
  const escaped = text.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t");
  return `"${escaped}"`;
}

export interface PrivateParts {
  /** Another repository's objects, which need not be written again. */
  objects?: string | undefined;
  /** The file of an index to begin with. What it says about files spares reading them. */
  index?: string | undefined;
  /** The file of a configuration, for what it says about the file system. */
  config?: string | undefined;
}

/**
 * Makes the private git directory of a workspace. It is outside of the workspace, so the agent may do to `.git` there what it likes,
 * and none appears in a copy.
 */
export async function createPrivateRepository(gitDirectory: string, parts: PrivateParts = {}): Promise<void> {
  const { objects, index, config } = parts;
  await mkdir(join(gitDirectory, "refs"), { recursive: true, mode: 0o700 });
  await mkdir(join(gitDirectory, "objects"), { recursive: true });
  await writeFile(join(gitDirectory, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(gitDirectory, "config"), config === undefined ? plainConfig : await readFile(config));
  if (objects !== undefined) await borrowObjects(gitDirectory, objects);
  if (index !== undefined) await copyIndex(index, join(gitDirectory, "index"));
}

/**
 * Copies the file of an index with its time. Git reads a file again if it was changed in the second in which the index was written; a
 * copy that seems younger would hide a change of that second.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, mtime);
}

const plainConfig = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n";
