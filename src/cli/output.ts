import { once } from "node:events";
import { fstatSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";
import { messageOf, systemCode } from "../errors.js";
import type { Line } from "../outputs/text/line.js";
import { paint } from "../outputs/text/paint.js";
import { cleanText } from "../text/clean-text.js";
import { spellSafely, toPrettyJson } from "../text/to-json.js";
import { complain } from "./complain.js";
import { exitCodes } from "./exit-codes.js";

/** Where a command prints. Writes are awaited, so that a slow reader slows the agent and not our memory. */
export interface PrintTarget {
  write(text: string | Uint8Array): Promise<void> | undefined;
  /** Writes one text that comes in pieces, whole or not at all. Missing on outputs that cannot undo a write. */
  writeWhole?(pieces: Iterable<string>): void;
  /** The reader is gone (`| head`): nothing more can be printed, and that is not an error. */
  readonly isClosed: boolean;
  /** Called once when the reader goes away. */
  onClose(listener: () => void): void;
}

/**
 * Standard output. Text for people goes through `print`, reports for programs through `printJson`. `write` is for
 * streams, documents and rows that are safe already.
 */
export interface StandardOutput extends PrintTarget {
  /** Prints text for people. Names, paths and messages in it may come from anywhere: control characters are removed. */
  print(text: string): Promise<void> | undefined;
  /** Prints rows for people, with their colours if there are any. The text in them is made safe in the same way. */
  printLines(lines: readonly Line[], look: { hasColors: boolean }): Promise<void> | undefined;
  /** One JSON value on many lines. */
  printJson(value: unknown): Promise<void> | undefined;
  /** Drops what the reader has not taken, and stops waiting for it. */
  abandon(): void;
}

/** The reader of the pipe has closed it, or the terminal is gone. */
const readerGone: ReadonlySet<string> = new Set(["EPIPE", "EIO"]);

let hasFailed = false;
let hasLeft = false;

/** The exit code of a command. It is not a success if something could not be printed. */
export function exitCodeOfOutput(exitCode: number): number {
  return exitCode === exitCodes.success && hasFailed ? exitCodes.notWritten : exitCode;
}

/** True if we gave up on a stalled reader. Its pending writes keep the process alive: only `process.exit` ends it. */
export function hasAbandonedOutput(): boolean {
  return hasLeft;
}

export function createOutput(stream: Writable): StandardOutput {
  let isClosed = false;
  let isLost = false;
  const leaving = new AbortController();
  const listeners: (() => void)[] = [];
  const file = regularFileOf(stream);

  function failed(error: unknown): void {
    if (isClosed || isLost) return;
    if (readerGone.has(systemCode(error) ?? "")) {
      isClosed = true;
      for (const listener of listeners) listener();
      return;
    }
    isLost = true;
    hasFailed = true;
    complain(`standard output cannot be written (${messageOf(error)}); nothing more is printed`);
  }

  function writeToFile(fd: number, text: string | Uint8Array): undefined {
    try {
      writeAll(fd, text);
    } catch (error) {
      failed(error);
    }
  }

  function write(text: string | Uint8Array): Promise<void> | undefined {
    if (isClosed || isLost || text.length === 0) return undefined;
    if (file !== undefined) return writeToFile(file, text);
    if (text.length > longestWrite) return writeInParts(text);
    return stream.write(text) ? undefined : drained(stream, leaving.signal);
  }

  async function writeInParts(text: string | Uint8Array): Promise<void> {
    for (const part of partsOf(text)) await write(part);
  }

  stream.on("error", failed);
  return {
    write,
    print: (text) => write(cleanText(text)),
    printLines: (lines, { hasColors }) => write(lines.map((line) => `${paint(line, hasColors)}\n`).join("")),
    printJson: (value) => write(`${spellSafely(toPrettyJson(value))}\n`),
    get isClosed() {
      return isClosed;
    },
    onClose(listener) {
      listeners.push(listener);
    },
    abandon() {
      isLost = true;
      hasLeft = true;
      leaving.abort();
      // The exit code is set once the command is done. Only the reader was still being waited for.
      if (process.exitCode !== undefined) process.exit();
    },
  };
}

/** To write a longer string at once, Node makes a copy of three times its size. */
const longestWrite = 256 * 1024;

function* partsOf(text: string | Uint8Array): Generator<string | Uint8Array> {
  for (let at = 0; at < text.length; ) {
    const end = at + longestWrite;
    const isCut = typeof text === "string" && /[\ud800-\udbff]/.test(text[end - 1] ?? "");
    yield text.slice(at, isCut ? end - 1 : end);
    at = isCut ? end - 1 : end;
  }
}

/** Node's own file stream takes a partial write, as on a disk that fills up, for a whole one. */
function writeAll(fd: number, text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function regularFileOf(stream: Writable): number | undefined {
  const fd = "fd" in stream && typeof stream.fd === "number" ? stream.fd : undefined;
  try {
    return fd !== undefined && fstatSync(fd).isFile() ? fd : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves when the reader has taken everything, is gone, or was given up on. */
async function drained(stream: Writable, leaving: AbortSignal): Promise<void> {
  const either = new AbortController();
  const signal = AbortSignal.any([either.signal, leaving]);
  await Promise.race([once(stream, "drain", { signal }), once(stream, "close", { signal })]).catch(
    () => undefined,
  );
  either.abort();
}
