import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findGitWorkspace } from "../../../src/runs/changes/find-workspace.js";
import { beginWatch, type ChangeWatch } from "../../../src/runs/changes/watch-changes.js";

/** Where private directories are during a test. */
export function useDataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "d-"));
  process.env["XDG_DATA_HOME"] = directory;
  return join(directory, "harness", "changes");
}

export function anySignal(): AbortSignal {
  return new AbortController().signal;
}

export async function watch(cwd: string, { isTextOnly = false } = {}): Promise<ChangeWatch> {
  const workspace = findGitWorkspace(cwd, "/nonexistent");
  if (workspace === undefined) throw new Error(`${cwd} is not in a repository`);
  const found = await beginWatch(workspace, { signal: anySignal(), isTextOnly });
  if (found === undefined) throw new Error(`${cwd} is bare`);
  return found;
}

/** What changes while `act` runs, and the patch of it. */
export async function changesOf(cwd: string, act: () => void) {
  const watched = await watch(cwd);
  act();
  const { changes, patchPath } = await watched.compare(anySignal());
  const patch = readFileSync(patchPath);
  await watched.end();
  return { ...changes, patch };
}

/** Everything below a directory: names, bytes and times of change. Without those of objects, if these do not count. */
export function fingerprintOf(directory: string, { hasTimesOfObjects = true } = {}): string[] {
  return readdirSync(directory, { recursive: true, encoding: "latin1" })
    .sort()
    .map((name) => {
      const path = join(directory, name);
      const stats = lstatSync(path, { bigint: true });
      const content = stats.isFile() ? readFileSync(path) : stats.isSymbolicLink() ? readlinkSync(path) : "";
      const hash = createHash("sha256").update(content).digest("hex");
      const isTimed = hasTimesOfObjects || !name.startsWith("objects/");
      return `${name} ${stats.mode} ${isTimed ? stats.mtimeNs : ""} ${hash}`;
    });
}
