import { closeSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { problemOf } from "../../errors.js";
import { makeDirectories } from "../../runs/files/make-directories.js";
import { openNew } from "../../runs/files/open-file.js";
import { cleanText } from "../../text/clean-text.js";

/** Keeps the beginning and the end of what a command prints, in a file that only its owner can read, if there is to be one. */
export interface BoundedLog {
  push(piece: Buffer): void;
  /** Closes the file. Returns the last lines as clean text. Never throws: a log that cannot be written ends no command. */
  end(): string;
}

/** The file has at most this much of the beginning, and as much of the end. */
export const logHalfBytes = 5 * 1024 * 1024;
const tailBytes = 4096;

export function createBoundedLog(path?: string): BoundedLog {
  let size = 0;
  let problem: string | undefined;
  let file: number | undefined;
  const ending = createRing(path === undefined ? tailBytes : logHalfBytes);

  function attempt(act: () => void): void {
    if (problem !== undefined) return;
    try {
      act();
    } catch (error) {
      problem = problemOf(error);
    }
  }

  function write(bytes: Uint8Array): void {
    attempt(() => {
      for (let done = 0; file !== undefined && done < bytes.length; ) done += writeSync(file, bytes, done);
    });
  }

  attempt(() => {
    if (path === undefined) return;
    makeDirectories(dirname(path));
    file = openNew(path);
  });
  return {
    push(piece) {
      const room = Math.max(0, logHalfBytes - size);
      if (room > 0) write(piece.subarray(0, room));
      size += piece.length;
      ending.push(piece);
    },
    end() {
      const left = size - 2 * logHalfBytes;
      if (left > 0) write(Buffer.from(`\n[${left} bytes are left out here]\n`));
      // What is not in the beginning.
      if (size > logHalfBytes) write(ending.last(size - logHalfBytes));
      if (file !== undefined) closeSync(file);
      const tail = tailOf(ending.last(tailBytes), size);
      return problem === undefined ? tail : `${tail}\n[the log could not be written: ${problem}]`.trim();
    },
  };
}

/** From the first complete line on, if something was left out. */
function tailOf(bytes: Buffer, size: number): string {
  const lineEnd = size > bytes.length ? bytes.indexOf("\n") : -1;
  const text = bytes.subarray(lineEnd + 1).toString("utf8");
  return cleanText(text).trimEnd();
}

interface Ring {
  push(piece: Buffer): void;
  /** The last bytes, at most this many. */
  last(count: number): Buffer;
}

/** The last bytes of a stream, in one buffer that grows to twice the capacity at most. */
function createRing(capacity: number): Ring {
  let bytes = Buffer.alloc(Math.min(capacity, 64 * 1024));
  let size = 0;

  function makeRoom(count: number): void {
    if (size + count > 2 * capacity) {
      bytes.copyWithin(0, size - capacity, size);
      size = Math.min(size, capacity);
    }
    if (size + count <= bytes.length) return;
    const larger = Buffer.alloc(Math.min(2 * capacity, Math.max(2 * bytes.length, size + count)));
    bytes.copy(larger, 0, 0, size);
    bytes = larger;
  }

  return {
    push(piece) {
      const kept = piece.subarray(-capacity);
      makeRoom(kept.length);
      size += kept.copy(bytes, size);
    },
    last: (count) => bytes.subarray(Math.max(0, size - Math.min(count, capacity)), size),
  };
}
