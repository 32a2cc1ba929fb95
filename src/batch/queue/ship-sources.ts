import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { HarnessError } from "../../errors.js";
import { makeDirectories } from "../../runs/files/make-directories.js";
import type { Source } from "../model/source.js";
import type { BatchPlaces } from "../places.js";
import { packSource, unpackSource } from "../workspace/pack-source.js";
import type { BatchHead } from "./protocol.js";
import { type Blob, getFile, putFile, type Shelf } from "./shelf.js";

/** The sources of a batch on the shelf. */
export interface ShippedSources {
  /** By the ids of the tasks. */
  readonly sources: BatchHead["sources"];
  /** Puts what the shelf has lost there again, and keeps the rest for longer. */
  renew(): Promise<void>;
  /** Removes them from the shelf and from this machine. */
  remove(): Promise<void>;
}

/** Packs each source once and puts it on the shelf. Throws if one is too large for it. */
export async function shipSources(
  shelf: Shelf,
  sources: Readonly<Record<string, Source>>,
  { places, batchId, onNotice }: { places: BatchPlaces; batchId: string; onNotice(sentence: string): void },
): Promise<ShippedSources> {
  const directory = join(places.directory, "packed");
  await rm(directory, { recursive: true, force: true });
  makeDirectories(directory);
  const packed = new Map<string, { path: string; blob: Blob }>();
  const byTask: Record<string, BatchHead["sources"][string]> = {};
  for (const [taskId, source] of Object.entries(sources)) {
    if (source.kind === "empty") {
      byTask[taskId] = { source };
      continue;
    }
    const key = JSON.stringify(source);
    const known = packed.get(key);
    const path = known?.path ?? join(directory, String(packed.size));
    if (known === undefined)
      for (const sentence of await packSource(source, { snapshots: places.sources, to: path }))
        onNotice(sentence);
    const blob =
      known?.blob ?? (await putNamed(shelf, path, { taskId, name: `${batchId}-source-${packed.size}` }));
    packed.set(key, { path, blob });
    byTask[taskId] = { source, packed: blob };
  }
  return {
    sources: byTask,
    async renew() {
      for (const { path, blob } of packed.values())
        if (!(await shelf.renew(blob))) await shelf.put(path, blob);
    },
    async remove() {
      for (const { blob } of packed.values()) await shelf.remove(blob.name);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function putNamed(
  shelf: Shelf,
  path: string,
  { taskId, name }: { taskId: string; name: string },
): Promise<Blob> {
  try {
    return await putFile(shelf, path, name);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    throw new HarnessError(error.code, `the workspace of the task "${taskId}": ${error.message}`);
  }
}

/** Sources that a worker has fetched, for all its cells. */
export interface FetchedSources {
  /** A source that works on this machine. Rejects with `BlobMissing` if the shelf does not have it now. */
  get(batchId: string, shelf: Shelf, wanted: BatchHead["sources"][string]): Promise<Source>;
  /** The place of the snapshots of a batch. */
  directory(batchId: string): string;
  /** The batches whose sources are here. */
  batches(): Iterable<string>;
  /** The batch is over. */
  remove(batchId: string): Promise<void>;
}

export function createFetchedSources(base: string): FetchedSources {
  const fetched = new Map<string, Map<string, Promise<Source>>>();
  const directory = (batchId: string) => join(base, batchId);
  return {
    directory,
    batches: () => fetched.keys(),
    get(batchId, shelf, { source, packed }) {
      if (packed === undefined) return Promise.resolve(source);
      const ofBatch = fetched.get(batchId) ?? new Map<string, Promise<Source>>();
      fetched.set(batchId, ofBatch);
      const key = JSON.stringify([source, packed.hash]);
      const known = ofBatch.get(key);
      if (known !== undefined) return known;
      const fetching = fetchSource(shelf, source, packed, directory(batchId));
      ofBatch.set(key, fetching);
      fetching.catch(() => ofBatch.delete(key));
      return fetching;
    },
    async remove(batchId) {
      fetched.delete(batchId);
      await rm(directory(batchId), { recursive: true, force: true });
    },
  };
}

async function fetchSource(shelf: Shelf, source: Source, packed: Blob, directory: string): Promise<Source> {
  makeDirectories(directory);
  const file = join(directory, `${randomBytes(6).toString("hex")}.packed`);
  try {
    await getFile(shelf, packed, file);
    return await unpackSource(source, file, directory);
  } finally {
    await rm(file, { force: true });
  }
}
