import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";

/** A chain of more links than a system follows. */
const mostLinks = 40;

/**
 * An absolute path without symbolic links. What does not exist yet stays as it is written, below the real path of the nearest
 * directory that exists. A link to a file that does not exist yet is followed: writing to the link would create that file.
 * Undefined if the path cannot be resolved: links in a circle, or a directory that may not be read.
 */
export function realPath(path: string): string | undefined {
  return follow(path, 0);
}

function follow(given: string, links: number): string | undefined {
  if (links > mostLinks || given.includes("\0")) return undefined;
  const path = given.replace(trailing, "") || given;
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!isMissing(error)) return undefined;
  }
  const name = lastName.exec(path)?.[0] ?? "";
  const parent = path.slice(0, path.length - name.length);
  if (parent === "" || parent === path) return path;
  const directory = follow(parent, links);
  if (directory === undefined || name === ".") return directory;
  // Only now, since the `..` of a link leads to the parent of the directory that it points to.
  return name === ".." ? dirname(directory) : followLink(join(directory, name), links);
}

function followLink(path: string, links: number): string | undefined {
  try {
    if (!lstatSync(path).isSymbolicLink()) return path;
    const target = readlinkSync(path);
    return follow(isAbsolute(target) ? target : `${dirname(path)}${sep}${target}`, links + 1);
  } catch (error) {
    return isMissing(error) ? path : undefined;
  }
}

/** A backslash separates directories only on Windows. */
const trailing = sep === "/" ? /\/+$/ : /[/\\]+$/;
const lastName = sep === "/" ? /[^/]*$/ : /[^/\\]*$/;

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}
