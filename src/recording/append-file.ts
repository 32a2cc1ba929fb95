import { closeSync, fchmodSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** A file that only grows, by whole texts. */
export interface AppendFile {
  /** It is written when it returns, so that it survives our death. Throws when the disk refuses. */
  append(text: string): void;
  close(): void;
}

/** A new, empty file that only its owner may read. */
export function createAppendFile(path: string): AppendFile {
  const file = openSync(path, "w", 0o600);
  // One that was there before keeps its mode otherwise. A device is nobody's to change.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600);
  let size = 0;

  /** A text is written whole or not at all: half of one would spoil what comes after it. */
  function append(text: string): void {
    const bytes = Buffer.from(text, "utf8");
    try {
      let written = 0;
      while (written < bytes.length) written += writeSync(file, bytes, written);
    } catch (error) {
      tryTo(() => ftruncateSync(file, size));
      throw error;
    }
    size += bytes.length;
  }

  return { append, close: () => tryTo(() => closeSync(file)) };
}

/** For what is worth a try when things have gone wrong already. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // The first problem is the one to tell.
  }
}
