import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { git } from "../../runs/changes/git.js";
import { borrowObjects, quoted } from "../../runs/changes/private-repository.js";
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
