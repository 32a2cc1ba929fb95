import type { Readable } from "node:stream";
import { monotonicTime } from "./monotonic-time.js";
import { isReadingOver, takeTurn } from "./turns.js";

export interface PacedPipeListeners {
  /** A part of the output, in order. */
  onPiece(piece: Buffer): void;
  /** The pipe has ended, and every piece was emitted. */
  onEnd(): void;
}

/** One pipe, read in pieces so small that the event loop stays responsive. */
export interface PacedPipe {
  setPaused(isPaused: boolean): void;
  /** Some output was read and not emitted yet. */
  readonly isBehind: boolean;
  /** The number of bytes emitted. */
  readonly bytes: number;
  /** Resolves when the pipe is closed and everything was emitted, or after `close`. */
  readonly closed: Promise<void>;
  /** Emits nothing more. */
  close(): void;
}

/**
 * Node reads a full pipe up to 32 times in one turn of the event loop, 64 KB each time. With lines of ten bytes these are
 * 200,000 lines, and signals and timers would wait for seconds. So each chunk is emitted in pieces whose size follows the
 * speed of the last piece, and what does not fit into this turn is emitted in a later one.
 */
export function createPacedPipe(stream: Readable, { onPiece, onEnd }: PacedPipeListeners): PacedPipe {
  const unread = createPieces();
  const pauseStream = createPauseSwitch(stream);
  const continueLater = createLaterTurn(emitSome);
  let isPaused = false;
  let isEmitting = false;
  let hasEnded = false;
  let hasClosed = false;
  let isOver = false;
  let resolveClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });

  /** Emits as much as fits into this turn. */
  function emitSome(): void {
    if (isEmitting) return;
    isEmitting = true;
    while (!isOver && !isPaused && !unread.isEmpty) {
      if (isReadingOver()) {
        continueLater();
        break;
      }
      unread.handOver(onPiece);
    }
    isEmitting = false;
    settle();
  }

  /** Pauses the stream while output is unread, and reports its end only after that. */
  function settle(): void {
    if (isOver) return;
    pauseStream(isPaused || !unread.isEmpty);
    if (!unread.isEmpty) return;
    if (hasEnded) {
      hasEnded = false;
      onEnd();
    }
    if (hasClosed) resolveClosed();
  }

  stream.on("data", (chunk: Buffer) => {
    if (isOver || chunk.length === 0) return;
    unread.add(chunk);
    emitSome();
  });
  // A broken pipe simply ends. The exit of the process says the rest.
  stream.on("error", () => {});
  stream.once("end", () => {
    hasEnded = true;
    settle();
  });
  stream.once("close", () => {
    hasClosed = true;
    settle();
  });

  return {
    setPaused(now) {
      if (isPaused === now) return;
      isPaused = now;
      emitSome();
    },
    get isBehind() {
      return !unread.isEmpty;
    },
    get bytes() {
      return unread.bytesHandedOver;
    },
    closed,
    close() {
      isOver = true;
      unread.clear();
      stream.destroy();
      resolveClosed();
    },
  };
}

/** Returns a function that asks for a later turn, once until it comes. */
function createLaterTurn(callback: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    takeTurn(() => {
      isWaiting = false;
      callback();
    });
  };
}

function createPauseSwitch(stream: Readable): (isPaused: boolean) => void {
  let isPaused = false;
  return (now) => {
    if (isPaused === now) return;
    isPaused = now;
    if (now) stream.pause();
    else stream.resume();
  };
}

/** The longest time that handling one piece should take. */
const pieceMs = 4;
/** Limits the work of later consumers of the lines, whose time is not measured here. */
const maxLines = 1000;
const minPieceBytes = 1024;
const maxPieceBytes = 64 * 1024;
/** Used until the time per byte is known. */
const firstPieceBytes = 8 * 1024;

interface Pieces {
  readonly isEmpty: boolean;
  readonly bytesHandedOver: number;
  add(chunk: Buffer): void;
  /** Removes the next piece and hands it over. */
  handOver(onPiece: (piece: Buffer) => void): void;
  clear(): void;
}

/** A queue of chunks, cut into pieces that are as large as the last one was fast. */
function createPieces(): Pieces {
  const chunks: Buffer[] = [];
  let pieceBytes = firstPieceBytes;
  let bytesHandedOver = 0;
  return {
    get isEmpty() {
      return chunks.length === 0;
    },
    get bytesHandedOver() {
      return bytesHandedOver;
    },
    add(chunk) {
      chunks.push(chunk);
    },
    handOver(onPiece) {
      const [chunk] = chunks;
      if (chunk === undefined) return;
      const end = endOfPiece(chunk, pieceBytes);
      if (end === chunk.length) chunks.shift();
      else chunks[0] = chunk.subarray(end);
      const startedAt = monotonicTime();
      bytesHandedOver += end;
      onPiece(chunk.subarray(0, end));
      const perByte = (monotonicTime() - startedAt) / end;
      pieceBytes = Math.min(maxPieceBytes, Math.max(minPieceBytes, Math.floor(pieceMs / perByte)));
    },
    clear() {
      chunks.length = 0;
    },
  };
}

const lineFeed = 10;

function endOfPiece(chunk: Buffer, maxBytes: number): number {
  let end = 0;
  for (let lines = 0; lines < maxLines; lines++) {
    const found = chunk.indexOf(lineFeed, end);
    if (found === -1 || found >= maxBytes) return Math.min(maxBytes, chunk.length);
    end = found + 1;
  }
  return end;
}
