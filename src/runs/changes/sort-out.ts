import { access, constants, lstat } from "node:fs/promises";
import { eachOf, joined } from "./each-of.js";

/** How much is read of files that git does not know yet. */
export interface ReadLimits {
  fileBytes: number;
  bytes: number;
}

export interface ReadBudget extends ReadLimits {
  /** Gets what is left out. */
  skipped: Map<string, string> | undefined;
  /** What was left out in the beginning, and stays so: otherwise it would look as if it were new. */
  before: ReadonlyMap<string, string> | undefined;
}

/** How many of the files that are left out were changed since. */
export function countChanged(
  now: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string> = new Map(),
): number {
  const added = [...now].filter(([path, facts]) => before.get(path) !== facts).length;
  return added + [...before.keys()].filter((path) => !now.has(path)).length;
}

export function isDirectoryName(path: Buffer): boolean {
  return path.at(-1) === 0x2f;
}

/** A file that is both modified and of another kind is listed twice. */
export function uniquePathsOf(listed: Buffer): Buffer[] {
  const paths = new Map<string, Buffer>();
  for (let start = 0; start < listed.length; ) {
    const end = listed.indexOf(0, start);
    const path = listed.subarray(start, end);
    paths.set(path.toString("latin1"), path);
    start = end + 1;
  }
  return [...paths.values()];
}

/** The files that can be read, and how many are left out. */
export async function sortOut(
  { directory, budget, prefix = Buffer.alloc(0) }: { directory: string; budget: ReadBudget; prefix?: Buffer },
  paths: readonly Buffer[],
): Promise<{ fit: Buffer[]; leftOut: number }> {
  const root = Buffer.from(directory);
  const fit: Buffer[] = [];
  let leftOut = 0;
  await eachOf(paths, async (path) => {
    if (isDirectoryName(path)) return;
    const full = joined(root, path);
    const name = Buffer.concat([prefix, path]).toString("latin1");
    if (!budget.before?.has(name) && (await isFit(full, path, budget))) return void fit.push(path);
    leftOut++;
    budget.skipped?.set(name, await factsOf(full));
  });
  return { fit: fit.sort(Buffer.compare), leftOut };
}

/** They differ after a change. */
async function factsOf(path: Buffer): Promise<string> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  return `${stats?.mode} ${stats?.size} ${stats?.mtimeNs} ${stats?.ctimeNs}`;
}

async function isFit(full: Buffer, path: Buffer, budget: ReadLimits): Promise<boolean> {
  // Git refuses such names, because some file systems take them for `.git`.
  if (/(?:^|\/)\.git(?:\/|$)/i.test(path.toString("latin1"))) return false;
  const stats = await lstat(full).catch(() => undefined);
  // It was deleted, or a directory is there now: git notes that.
  if (stats === undefined || stats.isDirectory() || stats.isSymbolicLink()) return true;
  // A pipe, a socket or a device.
  if (!stats.isFile()) return false;
  if (stats.size > budget.fileBytes || stats.size > budget.bytes) return false;
  budget.bytes -= stats.size;
  return access(full, constants.R_OK).then(
    () => true,
    () => false,
  );
}
