import { readdirSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../errors.js";
import { isLocked } from "./lock.js";
import { makeCells } from "./make-cells.js";
import { type BatchState, createBatchState, stopCells } from "./model/batch-state.js";
import { batchPlaces } from "./places.js";
import { readLedger } from "./read-ledger.js";

/** A batch as its ledger says, whether it runs, has ended or was killed. Nothing is changed. */
export interface ReadBatch {
  state: BatchState;
  isRunning: boolean;
  /** A sentence for each line of the ledger that cannot be read. */
  problems: string[];
}

/** Reads a batch from its directory. Throws a `HarnessError` if there is none. */
export function readBatch(directory: string): ReadBatch {
  const places = batchPlaces(directory);
  const isRunning = isLocked(places.lock);
  const { head, lines, problems } = readLedger(places.ledger);
  const reader = createBatchState(head, makeCells(head));
  for (const line of lines) reader.apply(line);
  const { state } = reader;
  if (!isRunning) stopCells(state.cells.values());
  return { state, isRunning: isRunning && state.ended === undefined, problems };
}

/** The batches in a directory, newest first: their ids begin with the time. */
export function listBatches(batchesDirectory: string): { batchId: string; directory: string }[] {
  return namesIn(batchesDirectory)
    .filter((name) => hasLedger(join(batchesDirectory, name)))
    .sort()
    .reverse()
    .map((batchId) => ({ batchId, directory: join(batchesDirectory, batchId) }));
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** A directory without a ledger is being prepared, or something else. */
function hasLedger(directory: string): boolean {
  try {
    return readdirSync(directory).includes("batch.jsonl");
  } catch {
    return false;
  }
}
