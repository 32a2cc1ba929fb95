/// <reference lib="es2024.arraybuffer" />

/** The unfinished last line of a stream. */
export interface PendingLine {
  readonly isEmpty: boolean;
  add(bytes: Buffer): void;
  /** The line so far, up to the cap. Valid until the next call. */
  head(): Buffer;
  /** The number of bytes beyond the cap, which were not kept. */
  readonly droppedBytes: number;
  clear(): void;
}

const firstBytes = 16 * 1024;
const largeFrom = 1024 * 1024;
const growBytes = 1024 * 1024;
/** Memory beyond this is released after the line. Less is kept, because the system clears released memory first. */
const keptBytes = 4 * 1024 * 1024;

/**
 * Holds one copy of a line, up to the cap. A short line is held in a buffer, a long one in a resizable ArrayBuffer, which
 * grows in place without copies. Both are reused for the next line. Only the memory of a very long line is released,
 * immediately rather than by the garbage collector.
 */
export function createPendingLine(cap: number): PendingLine {
  let small: Buffer = Buffer.alloc(0);
  let large: ArrayBuffer | undefined;
  let isInLarge = false;
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
    if (needed > largeFrom || isInLarge) return largeRoomFor(needed);
    if (needed <= small.length) return small;
    const size = Math.min(cap, largeFrom, Math.max(firstBytes, small.length * 2, needed));
    const larger = Buffer.allocUnsafeSlow(size);
    small.copy(larger, 0, 0, length);
    small = larger;
    return small;
  }

  function largeRoomFor(needed: number): Buffer {
    large ??= new ArrayBuffer(0, { maxByteLength: cap });
    if (needed > large.byteLength) large.resize(Math.min(cap, needed + growBytes));
    const room = Buffer.from(large);
    if (!isInLarge) small.copy(room, 0, 0, length);
    isInLarge = true;
    return room;
  }

  return {
    get isEmpty() {
      return length === 0 && droppedBytes === 0;
    },
    add,
    head: () => (isInLarge && large !== undefined ? Buffer.from(large) : small).subarray(0, length),
    get droppedBytes() {
      return droppedBytes;
    },
    clear() {
      if (large !== undefined && large.byteLength > keptBytes) {
        large.resize(0);
        large = undefined;
      }
      isInLarge = false;
      length = 0;
      droppedBytes = 0;
    },
  };
}
