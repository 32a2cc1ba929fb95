import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where the inputs of this run are; removed when it ends. */
export const directory = mkdtempSync(join(tmpdir(), "harness-bench-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));

/** A file with a text repeated until it has so many MB. */
export function repeatInto(name, text, megabytes) {
  return writeInto(name, megabytes, () => text);
}

/** A file of so many MB, made of the pieces that `next` gives. */
export function writeInto(name, megabytes, next) {
  const file = join(directory, name);
  const descriptor = openSync(file, "w");
  let bytes = 0;
  while (bytes < megabytes * 1e6) bytes += writeSync(descriptor, next());
  closeSync(descriptor);
  return { file, bytes };
}
