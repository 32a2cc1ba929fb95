import { lstatSync, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { isLocked } from "../../batch/lock.js";
import { makeCells } from "../../batch/make-cells.js";
import {
  type BatchState,
  type BatchStateReader,
  createBatchState,
  stopCells,
} from "../../batch/model/batch-state.js";
import type { LedgerLine } from "../../batch/model/ledger-line.js";
import { batchPlaces } from "../../batch/places.js";
import { toLine } from "../../batch/read-ledger.js";
import { messageOf } from "../../errors.js";
import { createLineSplitter, type LineSplitter } from "../../process/line-splitter.js";
import { openRegularFile } from "../../runs/files/regular-file.js";

const chunkBytes = 1024 * 1024;
const maxLineBytes = 64 * 1024 * 1024;
/** A ledger with more cells than this was not written by harness: its plan would fill the memory. */
const mostCells = 500_000;
const keptProblems = 20;

/** A batch as its ledger says. Only what was added to the ledger is read again. */
export interface FollowedBatch {
  readonly id: string;
  readonly directory: string;
  /** Undefined if the ledger cannot be read, or has no first line yet. */
  readonly state: BatchState | undefined;
  /** True while a harness carries the batch out. */
  readonly isRunning: boolean;
  /** A number that differs whenever a line was read. */
  readonly version: number;
  /** When the ledger was written last. */
  readonly changedAt: string;
  /** What is wrong with the ledger, in sentences. */
  readonly problems: readonly string[];
  /** Reads what was added to the ledger. Never rejects. Calls at the same time share one read. */
  update(): Promise<void>;
  /** Calls the listener with the cells that have changed. Undefined: all may have. */
  listen(listener: Listener): () => void;
}

type Listener = (ids: ReadonlySet<string> | undefined) => void;

/** What was read of one ledger so far. */
interface Reading {
  inode: number;
  position: number;
  splitter: LineSplitter;
  lines: number;
  reader?: BatchStateReader;
  problems: string[];
  changed: Set<string> | undefined;
}

export function followBatch(id: string, directory: string): FollowedBatch {
  const { ledger } = batchPlaces(directory);
  const listeners = new Set<Listener>();
  let reading: Reading | undefined;
  let changedAt = "";
  let version = 0;
  let isRunning = false;
  let problem: string | undefined;
  let updating: Promise<void> | undefined;

  async function read(): Promise<void> {
    for (let isOver = false; !isOver; ) {
      const stat = plainStat(ledger);
      changedAt = stat.mtime.toISOString();
      if (reading === undefined || reading.inode !== stat.ino || reading.position > stat.size)
        reading = createReading(stat.ino);
      if (stat.size > reading.position) await readOn(ledger, reading);
      isRunning = isBatchHeld(directory);
      // Once its harness is gone, everything that it wrote is on disk: it is read before anything is concluded.
      isOver = isRunning || plainStat(ledger).size <= reading.position;
    }
    if (reading === undefined) return;
    if (!isRunning) stop(reading);
    const { changed } = reading;
    reading.changed = new Set();
    if (changed?.size === 0) return;
    version += 1;
    for (const listener of listeners) listener(changed);
  }

  return {
    id,
    directory,
    get state() {
      return reading?.reader?.state;
    },
    get version() {
      return version;
    },
    get isRunning() {
      return isRunning;
    },
    get changedAt() {
      return changedAt;
    },
    get problems() {
      return [...(problem === undefined ? [] : [problem]), ...(reading?.problems ?? [])];
    },
    update() {
      updating ??= read()
        .then(() => {
          problem = undefined;
        })
        .catch((error: unknown) => {
          problem = messageOf(error);
        })
        .finally(() => {
          updating = undefined;
        });
      return updating;
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** True while a process carries the batch out. A pipe in place of the lock would block the server. */
export function isBatchHeld(directory: string): boolean {
  const { lock } = batchPlaces(directory);
  return lstatSync(lock, { throwIfNoEntry: false })?.isFile() === true && isLocked(lock);
}

/** Nothing runs in a batch that was killed. */
function stop(reading: Reading): void {
  const cells = [...(reading.reader?.state.cells.values() ?? [])];
  if (!cells.some(({ status }) => status === "running" || status === "retrying")) return;
  stopCells(cells);
  reading.changed = undefined;
}

/** The state of a ledger. Agents can write into the directory of a batch, so links and pipes are not followed. */
function plainStat(path: string): Stats {
  const stat = lstatSync(path);
  if (stat.isFile()) return stat;
  throw new Error(`${path} is not read: it is not a plain file; remove it`);
}

function createReading(inode: number): Reading {
  const reading: Reading = {
    inode,
    position: 0,
    lines: 0,
    problems: [],
    changed: undefined,
    splitter: createLineSplitter({
      maxLineBytes,
      onLine(text) {
        reading.lines += 1;
        takeLine(reading, text);
      },
    }),
  };
  return reading;
}

async function readOn(path: string, reading: Reading): Promise<void> {
  const file = await openRegularFile(path);
  try {
    for (;;) {
      const chunk = await readChunk(file, reading.position);
      if (chunk === undefined) return;
      reading.position += chunk.length;
      // A last line without its end waits for the rest.
      reading.splitter.push(chunk);
    }
  } finally {
    await file.close();
  }
}

async function readChunk(file: FileHandle, position: number): Promise<Buffer | undefined> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
  return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
}

function takeLine(reading: Reading, text: string): void {
  try {
    const line = toLine(text);
    if (line === undefined) throw new Error("it is damaged");
    apply(reading, line);
  } catch (error) {
    if (reading.problems.length < keptProblems)
      reading.problems.push(`line ${reading.lines} of the ledger is ignored: ${messageOf(error)}`);
  }
}

function apply(reading: Reading, line: LedgerLine): void {
  if (line.type === "batch") {
    const { plan, version } = line;
    if (version !== 1) throw new Error(`it was written by another version of harness (${line.harness})`);
    if (reading.reader !== undefined) throw new Error("the batch began before");
    if (plan.tasks.length * plan.arms.length * plan.repeats > mostCells)
      throw new Error("it has too many cells");
    reading.reader = createBatchState(line, makeCells(line));
    reading.changed = undefined;
    return;
  }
  if (reading.reader === undefined) throw new Error("the first line of the batch is missing");
  reading.reader.apply(line);
  if ("cellId" in line) reading.changed?.add(line.cellId);
  else reading.changed = undefined;
}
