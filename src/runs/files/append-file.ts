import { closeSync, fchmodSync, fstatSync, ftruncateSync } from "node:fs";
import { type FileWriter, writeTo } from "./file-writer.js";
import { openNamed, openNew } from "./open-file.js";

/** A file that only grows, by complete texts. */
export interface AppendFile {
  /**
   * Writes one text, given piece by piece. It is written when this returns, so that it survives the end of this process.
   * Throws when writing fails; the file then ends with the previous text.
   */
  append(fill: (writer: FileWriter) => void): void;
  close(): void;
}

export interface AppendFileOptions {
  /** Permissions, also for an existing file. Default: only the owner can read a new file. */
  mode?: number;
  /** True: the path is our own. Whatever is there is replaced, and a link is not followed. */
  isNew?: boolean;
}

/** Creates or empties a file. */
export function createAppendFile(path: string, { mode, isNew = false }: AppendFileOptions = {}): AppendFile {
  const file = isNew ? openNew(path) : openNamed(path);
  // The permissions of a device are left alone.
  if (mode !== undefined && fstatSync(file).isFile()) fchmodSync(file, mode);
  let size = 0;

  /** A text is written completely or not at all: half a text would spoil the next one. */
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

/** Adds a text to the end of a file that the user named, whole or not at all. Throws if it cannot be written. */
export function appendTo(path: string, text: string): void {
  const file = openNamed(path, true);
  const { size } = fstatSync(file);
  try {
    writeTo(file, (writer) => writer.text(text));
  } catch (error) {
    tryTo(() => ftruncateSync(file, size));
    throw error;
  } finally {
    tryTo(() => closeSync(file));
  }
}

/** For clean-up after something has gone wrong already. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // Only the first problem is reported.
  }
}
