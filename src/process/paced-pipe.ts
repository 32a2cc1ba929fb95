import type { Readable } from "node:stream";
import { monotonicTime } from "./monotonic-time.js";
import { isTurnOver, takeTurn } from "./turns.js";

export interface PacedPipeListeners {
  /** A part of what was read, in order. */
  onPiece(piece: Buffer): void;
  /** All was read, and given. */
  onEnd(): void;
}

/** One pipe, read in pieces that leave the event loop its turns. */
export interface PacedPipe {
  setPaused(isPaused: boolean): void;
  /** Something was read and not given yet. */
  readonly isBehind: boolean;
  /** How many bytes were given. */
  readonly bytes: number;
  /** Resolves when the pipe is closed and all of it was given, or when `close` was called. */
  readonly closed: Promise<void>;
  /** Gives nothing more. */
  close(): void;
}

/** What a piece should take at most, whoever handles it. */
const pieceMs = 4;
/** For those who get the lines after us, whose time is not counted here. */
const mostLines = 1000;
const smallestPieceBytes = 1024;
const largestPieceBytes = 64 * 1024;
/** Before it is known how long a byte takes. */
const firstPieceBytes = 8 * 1024;

/**
 * Node reads a full pipe up to 32 times in one turn of the event loop, 64 KB each. Of lines of ten bytes those are
 * 200,000, for which signals and timers would have to wait for seconds. So a chunk is given in pieces that are as long
 * as the last one was fast, and what does not fit into this turn waits for the next one.
 */
export function createPacedPipe(stream: Readable, { onPiece, onEnd }: PacedPipeListeners): PacedPipe {
  const unread: Buffer[] = [];
  let pieceBytes = firstPieceBytes;
  let bytes = 0;
  let isPaused = false;
  let isStreamPaused = false;
  let isGiving = false;
  let isWaitingForTurn = false;
  let hasEnded = false;
  let hasClosed = false;
  let isOver = false;
  let resolveClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });

  function give(piece: Buffer): void {
    const startedAt = monotonicTime();
    bytes += piece.length;
    onPiece(piece);
    const perByte = (monotonicTime() - startedAt) / piece.length;
    pieceBytes = Math.min(largestPieceBytes, Math.max(smallestPieceBytes, Math.floor(pieceMs / perByte)));
  }

  /** Gives as much as fits into this turn. */
  function giveSome(): void {
    if (isGiving) return;
    isGiving = true;
    while (!isOver && !isPaused) {
      const [chunk] = unread;
      if (chunk === undefined) break;
      if (isTurnOver()) {
        goOnNextTurn();
        break;
      }
      const end = endOfPiece(chunk, pieceBytes);
      if (end === chunk.length) unread.shift();
      else unread[0] = chunk.subarray(end);
      give(chunk.subarray(0, end));
    }
    isGiving = false;
    settle();
  }

  function goOnNextTurn(): void {
    if (isWaitingForTurn) return;
    isWaitingForTurn = true;
    takeTurn(() => {
      isWaitingForTurn = false;
      giveSome();
    });
  }

  function pauseStream(now: boolean): void {
    if (isStreamPaused === now) return;
    isStreamPaused = now;
    if (now) stream.pause();
    else stream.resume();
  }

  /** The stream waits for what was read of it, and its end is told after that. */
  function settle(): void {
    if (isOver) return;
    pauseStream(isPaused || unread.length > 0);
    if (unread.length > 0) return;
    if (hasEnded) {
      hasEnded = false;
      onEnd();
    }
    if (hasClosed) resolveClosed();
  }

  stream.on("data", (chunk: Buffer) => {
    if (isOver || chunk.length === 0) return;
    unread.push(chunk);
    giveSome();
  });
  // A broken pipe is the end of it; the exit tells the rest.
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
      giveSome();
    },
    get isBehind() {
      return unread.length > 0;
    },
    get bytes() {
      return bytes;
    },
    closed,
    close() {
      isOver = true;
      unread.length = 0;
      stream.destroy();
      resolveClosed();
    },
  };
}

const lineFeed = 10;

function endOfPiece(chunk: Buffer, mostBytes: number): number {
  let end = 0;
  for (let lines = 0; lines < mostLines; lines++) {
    const found = chunk.indexOf(lineFeed, end);
    if (found === -1 || found >= mostBytes) return Math.min(mostBytes, chunk.length);
    end = found + 1;
  }
  return end;
}
