import { closeSync, fchmodSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** A file that only grows, by whole texts. */
export interface AppendFile {
  /**
   * Writes one text, given in pieces of any size. It is written when this returns, so that it survives our
   * death. Throws when the disk refuses; the file then ends with the text before.
   */
  append(pieces: Iterable<string | Uint8Array>): void;
  close(): void;
}

export interface AppendFileOptions {
  /** Permissions of the file, also of one that was there before. Left out: as the system gives them. */
  mode?: number;
}

const encoder = new TextEncoder();
/** Shared by all files: it is empty again whenever `append` returns. */
const buffer = Buffer.allocUnsafeSlow(256 * 1024);

/** A new, empty file. */
export function createAppendFile(path: string, { mode }: AppendFileOptions = {}): AppendFile {
  const file = openSync(path, "w", mode);
  // A device is nobody's to change.
  if (mode !== undefined && fstatSync(file).isFile()) fchmodSync(file, mode);
  let size = 0;

  /** A text is written whole or not at all: half of one would spoil what comes after it. */
  function append(pieces: Iterable<string | Uint8Array>): void {
    let written = 0;
    try {
      written = writePieces(file, pieces);
    } catch (error) {
      tryTo(() => ftruncateSync(file, size));
      throw error;
    }
    size += written;
  }

  return { append, close: () => tryTo(() => closeSync(file)) };
}

/** Writes pieces as they fit into the buffer. Gives the number of bytes. */
function writePieces(file: number, pieces: Iterable<string | Uint8Array>): number {
  let total = 0;
  let filled = 0;

  function flush(): void {
    writeBytes(buffer.subarray(0, filled));
    filled = 0;
  }

  function writeBytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    total += bytes.length;
  }

  function addText(text: string): void {
    const most = text.length * 3;
    if (most > buffer.length) return addLongText(text);
    if (most > buffer.length - filled) flush();
    filled += buffer.write(text, filled, "utf8");
  }

  function addLongText(text: string): void {
    for (let rest = text; rest !== ""; ) {
      const { read, written } = encoder.encodeInto(rest, buffer.subarray(filled));
      filled += written;
      rest = rest.slice(read);
      if (rest !== "") flush();
    }
  }

  for (const piece of pieces) {
    if (typeof piece === "string") {
      addText(piece);
      continue;
    }
    flush();
    writeBytes(piece);
  }
  flush();
  return total;
}

/** For what is worth a try when things have gone wrong already. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // The first problem is the one to tell.
  }
}
