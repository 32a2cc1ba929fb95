import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Excerpt } from "../agents/isolation.js";
import { isObject } from "../text/fields.js";
import { parseJson } from "../text/parse-json.js";
import { toJson } from "../text/to-json.js";
import { ownerOnly } from "./files/open-file.js";
import { writeAtomically } from "./files/write-atomically.js";

/** A file of the user, and where it is to be in the fresh home. */
export interface HomeFile {
  from: string;
  to: string;
  keys?: readonly string[] | undefined;
  excerpt?: Excerpt | undefined;
}

/** A file that the fresh home has got. */
export interface CarriedFile {
  /** What the agent has changed in it reaches the user's own file. */
  keep(): void;
}

/** Brings a file into the fresh home. Undefined if the user has no such file, or the seed has one of its own there. */
export function carryIn({ from, to, keys, ...file }: HomeFile): CarriedFile | undefined {
  if (!existsSync(from) || isThere(to)) return undefined;
  const own = realpathSync(from);
  const excerpt = file.excerpt ?? (keys && excerptOf(keys));
  if (excerpt !== undefined) return copyExcerpt(own, to, excerpt);
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  symlinkSync(own, to);
  return { keep: () => keepReplaced(own, to) };
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function copyExcerpt(own: string, to: string, { take, renew }: Excerpt): CarriedFile | undefined {
  const given = take(readFileSync(own, "utf8"));
  if (given === undefined) return undefined;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  writeFileSync(to, given, { mode: ownerOnly, flag: "wx" });
  return {
    keep() {
      if (!isOwnFile(to)) return;
      const used = readFileSync(to, "utf8");
      if (used === given) return;
      // Read again: another run may have renewed something meanwhile.
      const renewed = renew?.(readFileSync(own, "utf8"), used);
      if (renewed !== undefined) writeAtomically(own, renewed);
    },
  };
}

/** A file that is not JSON has no keys: its agent could not read it either. */
function excerptOf(keys: readonly string[]): Excerpt {
  return {
    take(own) {
      const content = parseJson(own.replace(/^\s*\/\/.*$/gm, ""));
      if (!isObject(content)) return undefined;
      return toJson(Object.fromEntries(Object.entries(content).filter(([key]) => keys.includes(key))));
    },
  };
}

/**
 * Many programs replace a file instead of writing to it. A renewed token would be lost with the home, and the old one may not be valid any more. The
 * user's file gets the time of the renewal, not of the end of the run: of several runs that renew it, the last renewal stays, in
 * whatever order they end.
 */
function keepReplaced(own: string, to: string): void {
  if (!isOwnFile(to)) return;
  const { mtime } = statSync(to);
  if (mtime <= statSync(own).mtime) return;
  const [used, before] = [readFileSync(to, "utf8"), readFileSync(own, "utf8")];
  if (used === before || isDamaged(used, before)) return;
  writeAtomically(own, used);
  utimesSync(own, mtime, mtime);
}

/** A run that is killed may leave half a file. */
function isDamaged(used: string, before: string): boolean {
  return used.trim() === "" || (parseJson(used) === undefined && parseJson(before) !== undefined);
}

/** False for a link or a pipe, and for a file that is gone. */
function isOwnFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
