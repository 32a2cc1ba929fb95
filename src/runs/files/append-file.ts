import { closeSync, fchmodSync, fstatSync, ftruncateSync } from "node:fs";
import { type FileWriter, writeTo } from "./file-writer.js";
import { openNamed, openNew } from "./open-file.js";

/** A file that only grows, by whole texts. */
export interface AppendFile {
  /**
   * Writes one text, given piece by piece. It is written when this returns, so that it survives our death.
   * Throws when the disk refuses; the file then ends with the text before.
   */
  append(fill: (writer: FileWriter) => void): void;
  close(): void;
}

export interface AppendFileOptions {
  /** Permissions, also of a file that was there before. Left out: a new file is its owner's alone. */
  mode?: number;
  /** The place is ours: what is there is replaced, and a link is not followed. */
  isNew?: boolean;
}

/** An empty file. */
export function createAppendFile(path: string, { mode, isNew = false }: AppendFileOptions = {}): AppendFile {
  const file = isNew ? openNew(path) : openNamed(path);
  // A device is nobody's to change.
  if (mode !== undefined && fstatSync(file).isFile()) fchmodSync(file, mode);
  let size = 0;

  /** A text is written whole or not at all: half of one would spoil what comes after it. */
  function append(fill: (writer: FileWriter) => void): void {
    let written = 0;
    try {
      written = writeTo(file, fill);
    } catch (error) {
      tryTo(() => ftruncateSync(file, size));
      throw error;
    }
    size += written;
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
