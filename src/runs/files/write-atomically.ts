import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { openNew } from "./open-file.js";

/** Readers see either the old text or the new one, never a part of it. */
export function writeAtomically(path: string, text: string | Uint8Array): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeNew(draft, text);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function writeNew(path: string, text: string | Uint8Array): void {
  const file = openNew(path);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

const blockBytes = 512;

/**
 * For a full disk: replaces the text of a file within the space that the file already has, in one write. Throws, and changes
 * nothing, when the text does not fit.
 */
export function writeInPlace(path: string, text: string): void {
  const file = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    const bytes = Buffer.from(text, "utf8");
    if (bytes.length > fstatSync(file).blocks * blockBytes) throw new Error(`there is no room in ${path}`);
    writeSync(file, bytes, 0, bytes.length, 0);
    ftruncateSync(file, bytes.length);
  } finally {
    closeSync(file);
  }
}
