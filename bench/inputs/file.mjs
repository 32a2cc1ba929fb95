import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The directory of the inputs, removed at the end. */
export const directory = mkdtempSync(join(tmpdir(), "harness-bench-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));

const writeAtOnce = 1 << 20;

/** A file of this many MB, with a text repeated. */
export function repeatInto(name, text, megabytes) {
  return writeInto(name, megabytes, () => text);
}

/** A file of at least this many MB, made of the pieces that `next` returns, between a `begin` and an `end`. */
export function writeInto(name, megabytes, next, { begin = "", end = "" } = {}) {
  const file = join(directory, name);
  const descriptor = openSync(file, "w");
  let bytes = 0;
  let text = begin;
  while (bytes + text.length < megabytes * 1e6) {
    text += next();
    if (text.length < writeAtOnce) continue;
    bytes += writeSync(descriptor, text);
    text = "";
  }
  bytes += writeSync(descriptor, text + end);
  closeSync(descriptor);
  return { file, bytes };
}

/** Inputs of one agent after the other would fill a disk. */
export function removeInput({ file }) {
  rmSync(file, { force: true });
}
