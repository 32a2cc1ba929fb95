import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../../errors.js";

/**
 * Makes a directory and its missing parents, each readable by its owner only. It does so step by step, because Node's own
 * `recursive` never returns where the system always answers ENOENT, as it does under /proc.
 */
export function makeDirectories(path: string): void {
  if (isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectories(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== "EEXIST" || !isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
