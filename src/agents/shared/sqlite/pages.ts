import { readWal } from "./wal.js";

/** Reads a part of a file. Less than `length` bytes at its end. */
export type ReadBytes = (offset: number, length: number) => Uint8Array;

/** The pages of a database, with those of its write-ahead log in front. */
export interface Pages {
  /** The bytes of a page that may be used. */
  readonly usable: number;
  /** A page, counted from 1. Undefined if there is none. */
  page(number: number): Uint8Array | undefined;
}

const magic = "SQLite format 3\0";
const headerBytes = 100;
const blockBytes = 64 * 1024;
const mostBlocks = 64;

/**
 * Opens the files of an SQLite database as they are: nothing is locked, and nothing is written, not even the files beside it that SQLite
 * itself makes for readers. Undefined if it is not a database.
 */
export function openPages(database: ReadBytes, log: ReadBytes): Pages | undefined {
  const header = database(0, headerBytes);
  const isDatabase = header.length === headerBytes && textOf(header.subarray(0, magic.length)) === magic;
  const size = isDatabase ? pageSizeOf(header) : undefined;
  const isUtf8 = header[59] === 1 || header[59] === 0;
  if (size === undefined || !isUtf8) return undefined;
  const logged = readWal(log, size);
  const readBlock = cached(database);
  return {
    usable: size - (header[20] ?? 0),
    page(number) {
      if (!Number.isInteger(number) || number < 1) return undefined;
      const offset = logged.get(number);
      const page = offset === undefined ? readBlock((number - 1) * size, size) : log(offset, size);
      return page.length === size ? page : undefined;
    },
  };
}

/** 1 stands for 65536. */
function pageSizeOf(header: Uint8Array): number | undefined {
  const given = ((header[16] ?? 0) << 8) | (header[17] ?? 0);
  const size = given === 1 ? 65536 : given;
  const isPower = size >= 512 && (size & (size - 1)) === 0;
  return isPower ? size : undefined;
}

/** Reads in blocks, of which the latest are kept. The size of a page divides that of a block. */
function cached(read: ReadBytes): ReadBytes {
  const blocks = new Map<number, Uint8Array>();
  return (offset, length) => {
    const start = Math.floor(offset / blockBytes) * blockBytes;
    const block = blocks.get(start) ?? read(start, blockBytes);
    blocks.delete(start);
    blocks.set(start, block);
    if (blocks.size > mostBlocks) {
      const [oldest] = blocks.keys();
      if (oldest !== undefined) blocks.delete(oldest);
    }
    return block.subarray(offset - start, offset - start + length);
  };
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
