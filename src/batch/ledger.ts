import { closeSync, constants, fstatSync, fsync, fsyncSync, ftruncateSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { problemOf } from "../errors.js";
import { writeTo } from "../runs/files/file-writer.js";
import { ownerOnly } from "../runs/files/open-file.js";
import { toJson } from "../text/to-json.js";
import type { LedgerLine } from "./model/ledger-line.js";

/** The ledger of a batch while it is written. */
export interface Ledger {
  /**
   * Writes a line. It survives the end of this process when this returns, and counts when `onSynced` was called with it. Never
   * throws: after the first problem, nothing more is written.
   */
  append(line: LedgerLine): void;
  /** How many bytes are synced to the disk. */
  readonly syncedBytes: number;
  /** Resolves when everything that was appended is synced, or cannot be. */
  close(): Promise<void>;
}

export interface LedgerOptions {
  path: string;
  /** The bytes of the complete lines. What follows them is half a line of a harness that was killed, and is cut off. 0: a new ledger. */
  bytes: number;
  /** These lines are on the disk. They come in their order. */
  onSynced(lines: readonly LedgerLine[]): void;
  /** Called once, with a sentence. */
  onProblem(problem: string): void;
}

/** A sync makes every other writer of the file system wait. So there are not more of them than people could notice. */
const betweenSyncsMs = 50;

/**
 * Opens a ledger for appending. Throws if that is not possible. A sync takes milliseconds, so one serves all the lines that were
 * written in the meantime: a thousand cells do not wait for a thousand syncs one by one.
 */
export function openLedger({ path, bytes, onSynced, onProblem }: LedgerOptions): Ledger {
  const isNew = bytes === 0;
  const file = openToAppend(path, isNew);
  if (fstatSync(file).size > bytes) ftruncateSync(file, bytes);
  let written = bytes;
  let synced = bytes;
  let waiting: LedgerLine[] = [];
  let isSyncing = false;
  let hasFailed = false;
  let isClosing = false;
  let onIdle: () => void = () => {};

  function fail(error: unknown): void {
    if (hasFailed) return;
    hasFailed = true;
    waiting = [];
    onProblem(`the ledger ${path} cannot be written: ${problemOf(error)}; make room, and resume the batch`);
  }

  function sync(): void {
    if (isSyncing) return;
    if (waiting.length === 0 || hasFailed) return onIdle();
    isSyncing = true;
    const lines = waiting;
    const upTo = written;
    waiting = [];
    fsync(file, (error) => {
      if (error !== null) fail(error);
      else {
        synced = upTo;
        onSynced(lines);
      }
      setTimeout(
        () => {
          isSyncing = false;
          sync();
        },
        isClosing ? 0 : betweenSyncsMs,
      );
    });
  }

  function append(line: LedgerLine): void {
    if (hasFailed) return;
    try {
      written += writeTo(file, (writer) => writer.text(`${toJson(line)}\n`));
    } catch (error) {
      // Half a line would spoil the next one.
      tryTo(() => ftruncateSync(file, written));
      return fail(error);
    }
    waiting.push(line);
    sync();
  }

  async function close(): Promise<void> {
    isClosing = true;
    if (isSyncing)
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    tryTo(() => closeSync(file));
  }

  if (isNew) syncDirectory(dirname(path));
  return {
    append,
    get syncedBytes() {
      return synced;
    },
    close,
  };
}

/** Never through a link, and never a file that was there before a new batch. */
function openToAppend(path: string, isNew: boolean): number {
  const how = isNew ? constants.O_CREAT | constants.O_EXCL : 0;
  return openSync(
    path,
    constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | how,
    ownerOnly,
  );
}

/** A new file is found after a power cut only if its directory is synced, too. Not every system can do that. */
function syncDirectory(path: string): void {
  tryTo(() => {
    const directory = openSync(path, constants.O_RDONLY);
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  });
}

function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // There is nothing else to do about it.
  }
}
