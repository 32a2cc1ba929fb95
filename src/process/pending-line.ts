/// <reference lib="es2024.arraybuffer" />

/** The unfinished last line of a stream. */
export interface PendingLine {
  readonly isEmpty: boolean;
  add(bytes: Buffer): void;
  /** What there is of it, up to the cap; valid until the next call. */
  head(): Buffer;
  /** How many bytes beyond the cap were given and not kept. */
  readonly droppedBytes: number;
  clear(): void;
}

const firstBytes = 16 * 1024;
const largeFrom = 1024 * 1024;
const growBytes = 4 * 1024 * 1024;

/**
 * Holds a line of any length once, and never more of it than the cap: a short one in a buffer that is kept
 * for the next, a long one in memory that grows where it is and is given back at once, so that neither
 * copies nor the garbage collector's delay add to it.
 */
export function createPendingLine(cap: number): PendingLine {
  let small: Buffer = Buffer.alloc(0);
  let large: ArrayBuffer | undefined;
  let length = 0;
  let droppedBytes = 0;

  function add(bytes: Buffer): void {
    const kept = Math.min(bytes.length, cap - length);
    droppedBytes += bytes.length - kept;
    if (kept === 0) return;
    bytes.copy(roomFor(length + kept), length, 0, kept);
    length += kept;
  }

  function roomFor(needed: number): Buffer {
    if (needed > largeFrom || large !== undefined) return largeRoomFor(needed);
    if (needed <= small.length) return small;
    const size = Math.min(cap, largeFrom, Math.max(firstBytes, small.length * 2, needed));
    const larger = Buffer.allocUnsafeSlow(size);
    small.copy(larger, 0, 0, length);
    small = larger;
    return small;
  }

  function largeRoomFor(needed: number): Buffer {
    const isNew = large === undefined;
    large ??= new ArrayBuffer(0, { maxByteLength: cap });
    if (needed > large.byteLength) large.resize(Math.min(cap, needed + growBytes));
    const room = Buffer.from(large);
    if (isNew) small.copy(room, 0, 0, length);
    return room;
  }

  return {
    get isEmpty() {
      return length === 0 && droppedBytes === 0;
    },
    add,
    head: () => (large === undefined ? small : Buffer.from(large)).subarray(0, length),
    get droppedBytes() {
      return droppedBytes;
    },
    clear() {
      large?.resize(0);
      large = undefined;
      length = 0;
      droppedBytes = 0;
    },
  };
}
