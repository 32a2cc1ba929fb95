import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The directory of the inputs, removed at the end. */
export const directory = mkdtempSync(join(tmpdir(), "harness-bench-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));

/** A file of this many MB, with a text repeated. */
export function repeatInto(name, text, megabytes) {
  return writeInto(name, megabytes, () => text);
}

/** A file of this many MB, made of the pieces that `next` returns. */
export function writeInto(name, megabytes, next) {
  const file = join(directory, name);
  const descriptor = openSync(file, "w");
  let bytes = 0;
  while (bytes < megabytes * 1e6) bytes += writeSync(descriptor, next());
  closeSync(descriptor);
  return { file, bytes };
}
