import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { HarnessError } from "../../errors.js";

/** A file that was put on a shelf. */
export interface Blob {
  /** Its name there: letters, digits, `.`, `_` and `-`. Nobody else uses it, so the file can be removed. */
  name: string;
  /** SHA-256, in hexadecimal digits. */
  hash: string;
  bytes: number;
}

/** Where files lie that go from one machine to another. */
export interface Shelf {
  /** Without credentials. Workers open the same shelf with it. */
  readonly address: string;
  /** A larger file is refused. */
  readonly maxBytes: number;
  put(path: string, blob: Blob): Promise<void>;
  /** Writes the file to `path`. Rejects with `BlobMissing` if the shelf does not have it. Does not check what it got. */
  get(blob: Blob, path: string): Promise<void>;
  /** Whether it is still there. What expires is kept for longer from now on. */
  renew(blob: Blob): Promise<boolean>;
  /** Also if it is not there. */
  remove(name: string): Promise<void>;
}

/** The shelf does not have the file, or has something else under its name. Trying again does not help. */
export class BlobMissing extends Error {
  override readonly name = "BlobMissing";
}

/** Puts a file on the shelf, unless it is too large for it. */
export async function putFile(shelf: Shelf, path: string, name: string): Promise<Blob> {
  const blob = { name, ...(await measure(path)) };
  if (blob.bytes > shelf.maxBytes)
    throw new HarnessError(
      "too_large_for_shelf",
      `a file of ${blob.bytes} bytes is larger than the ${shelf.maxBytes} that the shelf takes; use a directory that every machine has, or s3://BUCKET/PREFIX (--shelf)`,
    );
  await shelf.put(path, blob);
  return blob;
}

/** Gets a file and checks it. Rejects with `BlobMissing` if it is not what was put there. */
export async function getFile(shelf: Shelf, blob: Blob, path: string): Promise<void> {
  await shelf.get(blob, path);
  const got = await measure(path);
  if (got.hash === blob.hash && got.bytes === blob.bytes) return;
  await rm(path, { force: true });
  throw new BlobMissing(`what the shelf has under the name ${blob.name} has another hash`);
}

async function measure(path: string): Promise<Omit<Blob, "name">> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return { hash: hash.digest("hex"), bytes: (await stat(path)).size };
}
