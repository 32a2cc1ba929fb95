import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { basename, join, resolve, sep } from "node:path";
import { problemOf } from "../../errors.js";
import { eventsFileName, rawFileName } from "../../runs/recording/paths.js";

/** A log among many. */
export interface FoundLog {
  path: string;
  /** What it may be called, the best name first: `ci/run1` and `ci/run1.jsonl`, or the id of a recording. */
  stems: readonly string[];
}

export interface FoundLogs {
  /** Those of a directory are in the order of their paths (by UTF-16 code units), whatever the order on disk is. */
  logs: FoundLog[];
  /** What could not be looked at. */
  problems: string[];
  /** Files below a directory whose names do not say that they are logs. */
  leftOut: string[];
  /** Links to directories, which are not followed: they may lead anywhere, or in circles. */
  links: string[];
}

/** How the names of logs end. */
export const logEndings: readonly string[] = [".jsonl", ".ndjson", ".log"];

/**
 * The logs that paths mean: a file itself, whatever its name is, and of a directory the logs and recordings in it and below it. Of a
 * recording, that is its `raw.jsonl`. Hidden files and directories are left alone, and so are the directories in `except`.
 */
export function findLogs(paths: readonly string[], except: readonly string[]): FoundLogs {
  const found: FoundLogs = { logs: [], problems: [], leftOut: [], links: [] };
  const own = new Set(except.map((path) => resolve(path)));
  for (const path of paths) {
    if (isDirectory(path)) walk(path, own, found);
    // A file that does not exist is one that cannot be read: it must not be in the way of the others.
    else found.logs.push({ path, stems: stemsOf(basename(path), basename(resolve(path, ".."))) });
  }
  return found;
}

function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

function walk(root: string, own: ReadonlySet<string>, found: FoundLogs): void {
  const logs: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = entriesOf(join(root, folder), found);
    const isCompanion = companionsIn(entries);
    for (const entry of entries) {
      const name = join(folder, entry.name);
      const path = join(root, name);
      if (entry.name.startsWith(".") || isCompanion(entry.name)) continue;
      if (entry.isDirectory()) {
        if (!own.has(resolve(path))) folders.push(name);
      } else if (isLog(path, entry, found)) logs.push(name);
    }
  }
  const rootName = basename(resolve(root));
  found.logs.push(...logs.sort().map((name) => ({ path: join(root, name), stems: stemsOf(name, rootName) })));
}

function entriesOf(path: string, { problems }: FoundLogs): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    problems.push(`cannot read ${path}: ${problemOf(error)}`);
    return [];
  }
}

/** What lies beside the `raw.jsonl` of a recording, and beside its folder, tells the same run. */
function companionsIn(entries: readonly Dirent[]): (name: string) => boolean {
  const isRecording = entries.some(({ name }) => name === rawFileName);
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  return (name) => {
    if (isRecording && (name === eventsFileName || name === "changes.patch")) return true;
    const id = /^(.+)\.(?:ndjson|meta\.json)$/.exec(name)?.[1];
    return id !== undefined && folders.has(id);
  };
}

function isLog(path: string, entry: Dirent, { leftOut, links, problems }: FoundLogs): boolean {
  const stats = entry.isSymbolicLink() ? statOf(path) : undefined;
  const isNamedSo = logEndings.some((ending) => entry.name.toLowerCase().endsWith(ending));
  if (stats?.isDirectory()) links.push(path);
  else if (!isNamedSo) leftOut.push(path);
  // A link that leads nowhere is opened like a log, which says why it cannot be read.
  else if (entry.isFile() || (entry.isSymbolicLink() && (stats?.isFile() ?? true))) return true;
  // Opening a pipe would wait for its writer.
  else problems.push(`cannot read ${path}: it is not a regular file`);
  return false;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** `name`: its path below `folder`. A recording is called like its folder. */
function stemsOf(name: string, folder: string): string[] {
  const parts = name.split(sep);
  if (parts.at(-1) === rawFileName) {
    const above = parts.slice(0, -1);
    return [above.length > 0 ? above.join("/") : folder || "run", parts.join("/")];
  }
  const whole = parts.join("/");
  const ending = logEndings.find((one) => whole.toLowerCase().endsWith(one)) ?? "";
  const short = whole.slice(0, whole.length - ending.length);
  return short === "" || short.endsWith("/") ? [whole] : [short, whole];
}
