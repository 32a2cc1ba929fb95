import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { BatchState } from "../batch/model/batch-state.js";
import { batchPlaces, defaultBatchesDirectory } from "../batch/places.js";
import { listBatches, readBatch } from "../batch/read-batch.js";
import { HarnessError } from "../errors.js";
import { didYouMean } from "../text/suggest.js";
import { quote } from "./quote.js";

/** A batch on disk. */
export interface FoundBatch {
  batchId: string;
  directory: string;
}

/** Every batch in a directory, newest first. */
export function batchesIn(directory: string = defaultBatchesDirectory()): FoundBatch[] {
  return listBatches(directory);
}

/** A batch by its id, any unique prefix of its id, or its directory. */
export function findBatch(id: string, directory: string = defaultBatchesDirectory()): FoundBatch {
  if (existsSync(batchPlaces(id).ledger)) return { batchId: basename(resolve(id)), directory: resolve(id) };
  const all = batchesIn(directory);
  const exact = all.find(({ batchId }) => batchId === id);
  if (exact !== undefined) return exact;
  const candidates = all.filter(({ batchId }) => id !== "" && batchId.startsWith(id));
  const [found] = candidates;
  if (found === undefined) throw unknown(id, all, directory);
  if (candidates.length === 1) return found;
  const ids = candidates.map(({ batchId }) => `\n  ${batchId}`).join("");
  const message = `${candidates.length} ids of batches begin with "${id}"; give more of the id:${ids}`;
  throw new HarnessError("ambiguous_batch", message);
}

/** What to type for a batch: its id, or its directory if it is not kept in the usual place. */
export function handleOf({ batchId, directory }: FoundBatch): string {
  return dirname(resolve(directory)) === resolve(defaultBatchesDirectory()) ? batchId : quote(directory);
}

/** The newest batch. */
export function newestBatch(directory: string = defaultBatchesDirectory()): FoundBatch {
  const [newest] = batchesIn(directory);
  if (newest !== undefined) return newest;
  throw new HarnessError("unknown_batch", `there is no batch in ${directory}; begin one: harness batch PLAN`);
}

/** The newest batch in which something is missing, and which does not run. */
export function newestUnfinished(directory: string = defaultBatchesDirectory()): FoundBatch {
  const found = batchesIn(directory).find((batch) => isUnfinished(batch));
  if (found !== undefined) return found;
  const message = `no batch in ${directory} is unfinished; harness batch list shows all of them`;
  throw new HarnessError("unknown_batch", message);
}

/** A batch that cannot be read cannot be resumed either. */
function isUnfinished({ directory }: FoundBatch): boolean {
  try {
    const { state, isRunning } = readBatch(directory);
    return !isRunning && countMissing(state) > 0;
  } catch (error) {
    if (error instanceof HarnessError) return false;
    throw error;
  }
}

/** How many cells a resumed batch would run: those without a verdict, and those whose verdict is `error`. */
export function countMissing({ cells }: BatchState): number {
  let missing = 0;
  for (const { status, result } of cells.values())
    if (status !== "done" || result?.verdict === "error") missing += 1;
  return missing;
}

function unknown(id: string, all: readonly FoundBatch[], directory: string): HarnessError {
  const meant = didYouMean(
    id,
    all.map(({ batchId }) => batchId),
  );
  const next = all.length === 0 ? `there is none in ${directory}` : "`harness batch list` shows all ids";
  return new HarnessError("unknown_batch", `no batch has the id "${id}"${meant} (${next})`);
}
