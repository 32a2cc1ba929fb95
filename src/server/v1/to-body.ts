import { Readable } from "node:stream";

/**
 * Text and bytes that come in time, as the body of an answer. They are taken only as fast as they are read. What is thrown breaks
 * the connection.
 */
export function toBody(pieces: AsyncIterable<string | Uint8Array>): ReadableStream {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece;
  }
  return Readable.toWeb(Readable.from(bytes(), { objectMode: false })) as ReadableStream;
}
