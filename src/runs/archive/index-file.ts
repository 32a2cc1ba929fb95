import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  decodeHead,
  decodeTable,
  encodeTable,
  headLength,
  type IndexEntries,
  type IndexEntry,
  type IndexFacts,
} from "./index-format.js";

/** Never the name of a recording, because ids begin with a letter or a digit. */
export const indexFileName = ".index";

/** An open index file. It stays open until `close`, so that replacing the file on disk does no harm. */
export interface IndexFile {
  readonly entries: IndexEntries;
  /** The bytes that are stored with an entry. Undefined when they cannot be read. */
  read(entry: IndexEntry): Buffer | undefined;
  close(): void;
}

/** An entry to be written: one from the previous index, or a new one. */
export type KeptEntry = { facts: IndexFacts; stored: Buffer } | { old: IndexEntry };

/**
 * Opens the index of a directory. Undefined when there is none, or when it is damaged, of another version or not a plain file:
 * then a new one is made.
 */
export function readIndexFile(directory: string): IndexFile | undefined {
  let file: number | undefined;
  try {
    // Links are not followed, and opening a pipe does not block.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    file = openSync(join(directory, indexFileName), flags);
    const entries = readEntries(file);
    if (entries !== undefined) return toIndexFile(file, entries);
  } catch {
    // Treated as if there were no index.
  }
  if (file !== undefined) closeSync(file);
  return undefined;
}

interface ReadEntries {
  entries: IndexEntries;
  /** Where the stored sidecars begin. */
  start: number;
}

function readEntries(file: number): ReadEntries | undefined {
  const stat = fstatSync(file);
  if (!stat.isFile()) return undefined;
  const head = decodeHead(readBytes(file, 0, headLength));
  if (head === undefined || headLength + head.length > stat.size) return undefined;
  const start = headLength + head.length;
  const entries = decodeTable(readBytes(file, headLength, head.length), head.sum, stat.size - start);
  return entries && { entries, start };
}

function toIndexFile(file: number, { entries, start }: ReadEntries): IndexFile {
  let isOpen = true;
  return {
    entries,
    read({ offset, length }) {
      if (length === 0 || !isOpen) return undefined;
      try {
        return readBytes(file, start + offset, length);
      } catch {
        return undefined;
      }
    },
    close() {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}

function readBytes(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(file, bytes, filled, length - filled, position + filled);
    if (read === 0) throw new Error("the file ends early");
    filled += read;
  }
  return bytes;
}

const writtenAtOnce = 4 * 1024 * 1024;

/**
 * Replaces the index. Several programs may do that at the same time: each writes a draft of its own, and the last one wins.
 * False: writing failed, and the old index is unchanged.
 */
export function writeIndexFile(
  directory: string,
  kept: readonly KeptEntry[],
  before: IndexFile | undefined,
): boolean {
  const draft = join(directory, `${indexFileName}.${process.pid}.tmp`);
  let file: number | undefined;
  try {
    rmSync(draft, { force: true });
    file = openSync(draft, "wx", 0o600);
    const usable = kept.flatMap((entry) => toStored(entry, before));
    writeAll(file, encodeTable(usable));
    let waiting: Buffer[] = [];
    let size = 0;
    for (const { stored } of usable) {
      waiting.push(stored());
      size += waiting.at(-1)?.length ?? 0;
      if (size < writtenAtOnce) continue;
      writeAll(file, Buffer.concat(waiting));
      [waiting, size] = [[], 0];
    }
    writeAll(file, Buffer.concat(waiting));
    closeSync(file);
    file = undefined;
    renameSync(draft, join(directory, indexFileName));
    return true;
  } catch {
    if (file !== undefined) closeSync(file);
    tryToRemove(draft);
    return false;
  }
}

type StoredEntry = Omit<IndexEntry, "offset"> & { stored(): Buffer };

const nothing = Buffer.alloc(0);

function toStored(entry: KeptEntry, before: IndexFile | undefined): StoredEntry[] {
  if ("facts" in entry) return [{ ...entry.facts, length: entry.stored.length, stored: () => entry.stored }];
  const { old } = entry;
  if (before === undefined) return [];
  const stored = (): Buffer => {
    if (old.length === 0) return nothing;
    const bytes = before.read(old);
    if (bytes === undefined) throw new Error("the previous index cannot be read");
    return bytes;
  };
  return [{ ...old, stored }];
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function tryToRemove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A leftover draft does no harm.
  }
}

const abandonedMs = 10 * 60_000;

/** True for the draft of an index. */
export function isIndexDraft(name: string): boolean {
  return name.startsWith(`${indexFileName}.`) && name.endsWith(".tmp");
}

/** Removes drafts of programs that were killed while they wrote the index. */
export function removeAbandonedDrafts(directory: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(directory, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > abandonedMs) tryToRemove(path);
  }
}
