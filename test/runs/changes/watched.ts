import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { findGitWorkspace } from "../../../src/runs/changes/find-workspace.js";
import { beginWatch, type ChangeWatch } from "../../../src/runs/changes/watch-changes.js";
import { makeDirectory } from "../../batch/workspace/places.js";

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

/** A git that hangs while the file exists that is returned. Each that hangs adds its number to that file. */
export function useSlowGit(): string {
  const directory = makeDirectory();
  const flag = join(directory, "slow");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const path = join(directory, "git");
  writeFileSync(
    path,
    `#!/bin/sh\n[ -e '${flag}' ] && echo $$ >> '${flag}' && exec sleep 300\nexec '${real}' "$@"\n`,
  );
  chmodSync(path, 0o755);
  usePath(`${directory}${delimiter}${process.env["PATH"]}`);
  return flag;
}

export function usePath(value: string): void {
  const before = process.env["PATH"];
  process.env["PATH"] = value;
  onTestFinished(() => {
    process.env["PATH"] = before;
  });
}
