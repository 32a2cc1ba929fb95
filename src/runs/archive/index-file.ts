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

/** Not the name of a recording: ids begin with a letter or a digit. */
export const indexFileName = ".index";

/** An index that was read. Its file stays open until `close`, so that one that replaces it does no harm. */
export interface IndexFile {
  readonly entries: IndexEntries;
  /** What was stored with an entry; undefined when it cannot be read. */
  read(entry: IndexEntry): Buffer | undefined;
  close(): void;
}

/** What is to be kept: an entry of the index before, or something new. */
export type KeptEntry = { facts: IndexFacts; stored: Buffer } | { old: IndexEntry };

/**
 * The index of a directory. Undefined when there is none, and just so when it is damaged, of another version or no plain
 * file: whoever needs it makes another.
 */
export function readIndexFile(directory: string): IndexFile | undefined {
  let file: number | undefined;
  try {
    // A link is not followed, and a pipe does not hold us up.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    file = openSync(join(directory, indexFileName), flags);
    const entries = readEntries(file);
    if (entries !== undefined) return toIndexFile(file, entries);
  } catch {
    // As if there were none.
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
 * Replaces the index. Several programs may do that at the same time: each writes a file of its own, and the last one stays.
 * A disk that refuses leaves everything as it was: false.
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
    if (bytes === undefined) throw new Error("the index before cannot be read");
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
    // It is only a draft.
  }
}

const abandonedMs = 10 * 60_000;

/** True for the draft of an index. */
export function isIndexDraft(name: string): boolean {
  return name.startsWith(`${indexFileName}.`) && name.endsWith(".tmp");
}

/** Removes what a program that was killed while it wrote the index has left. */
export function removeAbandonedDrafts(directory: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(directory, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > abandonedMs) tryToRemove(path);
  }
}
