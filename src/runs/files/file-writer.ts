import { writeSync } from "node:fs";

/** Writes to a file, in pieces of any size. */
export interface FileWriter {
  text(text: string): void;
  bytes(bytes: Uint8Array): void;
  /**
   * Calls `fill` with a buffer that has room for `most` bytes from `at` on; it returns where it stopped. For bytes that are
   * made one by one. `most` is at most 256 KB.
   */
  put(most: number, fill: (target: ByteView, at: number) => number): void;
}

/** The same memory, byte by byte and in larger numbers. */
export interface ByteView {
  bytes: Uint8Array;
  view: DataView;
}

export function viewOf(bytes: Uint8Array): ByteView {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

const encoder = new TextEncoder();
/** Shared by all files. It is empty whenever `writeTo` returns. */
const buffer = Buffer.allocUnsafeSlow(256 * 1024);
const shared = viewOf(buffer);

/** Writes everything that `fill` produces to a file, in few system calls. Returns the number of bytes. */
export function writeTo(file: number, fill: (writer: FileWriter) => void): number {
  let total = 0;
  let filled = 0;

  function flush(): void {
    writeBytes(buffer.subarray(0, filled));
    filled = 0;
  }

  function writeBytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    total += bytes.length;
  }

  function text(piece: string): void {
    const most = piece.length * 3;
    if (most > buffer.length) return longText(piece);
    if (most > buffer.length - filled) flush();
    filled += buffer.write(piece, filled, "utf8");
  }

  function longText(piece: string): void {
    for (let rest = piece; rest !== ""; ) {
      const { read, written } = encoder.encodeInto(rest, buffer.subarray(filled));
      filled += written;
      rest = rest.slice(read);
      if (rest !== "") flush();
    }
  }

  fill({
    text,
    bytes(piece) {
      flush();
      writeBytes(piece);
    },
    put(most, fillRoom) {
      if (most > buffer.length - filled) flush();
      filled = fillRoom(shared, filled);
    },
  });
  flush();
  return total;
}
