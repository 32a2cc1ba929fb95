import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
} from "node:fs";
import { isAbsolute, join } from "node:path";
import type { StoredLine, StoreFile, StoreReader } from "../../agents/store-contract.js";
import { createLineSplitter } from "../../process/line-splitter.js";
import { toLineRecord } from "../../process/to-line-record.js";

/** A place whose files could be listed, and what was left out there. */
export interface OpenedStore extends StoreReader {
  /** The directory, without links. */
  readonly directory: string;
  /** Links, pipes and other things that are not plain files, and folders that cannot be read. */
  readonly skipped: number;
}

const chunkBytes = 256 * 1024;
const largestText = 64 * 1024 * 1024;
/** Stores are three or four folders deep. */
const deepest = 12;
const mostFiles = 2_000_000;

/**
 * Opens the files of an agent's store for reading, and for nothing else. The store itself may be a link, because people keep their
 * settings elsewhere. Links inside it are not followed. Undefined if there is no such directory.
 */
export function openStore(place: string): OpenedStore | undefined {
  const directory = realDirectory(place);
  if (directory === undefined) return undefined;
  const { files, skipped } = listFiles(directory);
  return {
    directory,
    files,
    skipped,
    lines: (path) => readLines(join(directory, path)),
    text: (path) => readText(join(directory, path)),
    bytes: (path, offset, length) => readPart(join(directory, path), offset, length),
  };
}

function realDirectory(place: string): string | undefined {
  // A relative path in a variable of the agent would lead into the current directory.
  if (!isAbsolute(place)) return undefined;
  try {
    const directory = realpathSync(place);
    return lstatSync(directory).isDirectory() ? directory : undefined;
  } catch {
    return undefined;
  }
}

function listFiles(directory: string): { files: StoreFile[]; skipped: number } {
  const files: StoreFile[] = [];
  let skipped = 0;

  function visit(folder: string, depth: number): void {
    let entries: ReturnType<typeof readEntries>;
    try {
      entries = readEntries(join(directory, folder));
    } catch {
      skipped += 1;
      return;
    }
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && depth < deepest) visit(path, depth + 1);
      else if (entry.isFile() && files.length < mostFiles) addFile(path);
      else skipped += 1;
    }
  }

  function addFile(path: string): void {
    const stat = lstatSync(join(directory, path), { throwIfNoEntry: false });
    if (stat?.isFile()) files.push({ path, bytes: stat.size, modifiedAt: Math.floor(stat.mtimeMs) });
  }

  visit("", 0);
  return { files, skipped };
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** `O_NOFOLLOW`: the file may have become a link. `O_NONBLOCK`: opening a pipe without a writer would wait forever. */
const forReading = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function openPlainFile(path: string): { file: number; bytes: number } | undefined {
  let file: number;
  try {
    file = openSync(path, forReading);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file);
    if (stat.isFile()) return { file, bytes: stat.size };
  } catch {
    // Then it is not a plain file.
  }
  closeSync(file);
  return undefined;
}

/** An agent may be writing the file: what it adds after the file was opened is left for the next import. */
function* readLines(path: string): Generator<StoredLine> {
  const opened = openPlainFile(path);
  if (opened === undefined) return;
  const { file, bytes } = opened;
  let lines: StoredLine[] = [];
  const splitter = createLineSplitter({
    onLine(text, extra) {
      const { timestamp, stream, ...line } = toLineRecord("stored", "", text, extra);
      lines.push(line);
    },
  });
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let at = 0; at < bytes; ) {
      const count = readSync(file, chunk, 0, Math.min(chunkBytes, bytes - at), at);
      if (count === 0) break;
      at += count;
      // A copy: the splitter keeps the beginning of a line.
      splitter.push(Buffer.from(chunk.subarray(0, count)));
      yield* lines;
      lines = [];
    }
    splitter.end();
    yield* lines;
  } catch {
    // A disk that fails ends the file.
  } finally {
    closeSync(file);
  }
}

function readPart(path: string, offset: number, length: number): Uint8Array {
  const opened = openPlainFile(path);
  if (opened === undefined) return new Uint8Array();
  try {
    const part = new Uint8Array(Math.max(0, Math.min(length, opened.bytes - offset)));
    return part.subarray(0, readSync(opened.file, part, 0, part.length, offset));
  } catch {
    return new Uint8Array();
  } finally {
    closeSync(opened.file);
  }
}

function readText(path: string): string | undefined {
  const opened = openPlainFile(path);
  if (opened === undefined) return undefined;
  const { file, bytes } = opened;
  try {
    if (bytes > largestText) return undefined;
    const content = Buffer.alloc(bytes);
    let length = 0;
    while (length < bytes) {
      const count = readSync(file, content, length, bytes - length, length);
      if (count === 0) break;
      length += count;
    }
    return content.toString("utf8", 0, length);
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
