import { join } from "node:path";
import { type Environment, userDirectory } from "../runs/files/user-directory.js";

/** Where the files of one batch are. */
export interface BatchPlaces {
  directory: string;
  ledger: string;
  /** Snapshots that copies are made from. */
  sources: string;
  /** Workspaces of the runs under way. */
  work: string;
  /** Held by the process that runs the batch. */
  lock: string;
  /** `changes.patch`, `setup.log`, `check.log` of a cell: those of the attempt that counts. */
  cell(cellId: string): string;
}

export function batchPlaces(directory: string): BatchPlaces {
  return {
    directory,
    ledger: join(directory, "batch.jsonl"),
    sources: join(directory, "sources"),
    work: join(directory, "work"),
    lock: join(directory, "lock"),
    cell: (cellId) => join(directory, "cells", cellId),
  };
}

/** The default place of batches: one directory for each, named by its id. */
export function defaultBatchesDirectory(env: Environment = process.env): string {
  return join(userDirectory("data", env), "batches");
}
