import { writeSync } from "node:fs";

/** Writes to a file, in pieces of any size. */
export interface FileWriter {
  text(text: string): void;
  bytes(bytes: Uint8Array): void;
}

const encoder = new TextEncoder();
/** Shared by all files. It is empty whenever `writeTo` returns. */
const buffer = Buffer.allocUnsafeSlow(256 * 1024);

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
  });
  flush();
  return total;
}
