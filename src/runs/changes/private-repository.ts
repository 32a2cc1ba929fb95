import { copyFile, mkdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The objects of another repository are found here, too. */
export async function borrowObjects(gitDirectory: string, objects: string): Promise<void> {
  await mkdir(join(gitDirectory, "objects", "info"), { recursive: true });
  await writeFile(join(gitDirectory, "objects", "info", "alternates"), `${quoted(objects)}\n`);
}

/** In quotes, as git reads a path in `alternates` and a value in `config`. */
export function quoted(text: string): string {
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
