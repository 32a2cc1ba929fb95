import { chmod, lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { problemOf, systemCode } from "../../errors.js";
import { badWorkspace } from "../../runs/changes/git.js";

/** A process that is just ending may still write into the directory. */
const retries = { recursive: true, force: true, maxRetries: 8, retryDelay: 50 } as const;

/** Removes a directory and everything in it. Directories that nobody may write to, such as Go's module cache, are removed too. */
export async function removeTree(path: string): Promise<void> {
  // Many workspaces are empty. `rm` needs a dozen operations for that, and each waits until the event loop has time for it.
  if (await isRemovedAsEmpty(path)) return;
  try {
    await rm(path, retries);
  } catch (error) {
    if (!["EACCES", "EPERM"].includes(systemCode(error) ?? "")) throw notRemoved(path, error);
    await makeWritable(path);
    await rm(path, retries).catch((again: unknown) => {
      throw notRemoved(path, again);
    });
  }
}

function isRemovedAsEmpty(path: string): Promise<boolean> {
  return rmdir(path).then(
    () => true,
    () => false,
  );
}

/** Links are not followed: what they lead to is not ours. */
async function makeWritable(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isDirectory()) return;
  await chmod(path, 0o700).catch(() => {});
  const names = await readdir(path).catch(() => []);
  for (const name of names) await makeWritable(join(path, name));
}

function notRemoved(path: string, error: unknown): Error {
  return badWorkspace(
    `the workspace ${path} cannot be removed: ${problemOf(error)}; remove it by hand`,
    error,
  );
}
