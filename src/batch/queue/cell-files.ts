import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { HarnessError } from "../../errors.js";
import { isRunId } from "../../events/run-id.js";
import { makeDirectories } from "../../runs/files/make-directories.js";
import { ownerOnly } from "../../runs/files/open-file.js";
import { recordingPaths } from "../../runs/recording/paths.js";
import { type CellEnd, type ShippedFile, type ShippedName, shippedNames } from "./protocol.js";
import { getFile, putFile, type Shelf } from "./shelf.js";

/** Removes what an attempt has put on the shelf, also if nobody knows how much of it. */
export async function removeShipped(shelf: Shelf, runId: string): Promise<void> {
  for (const name of shippedNames) await shelf.remove(shelfName(runId, name)).catch(() => {});
}

function shelfName(runId: string, name: ShippedName): string {
  return `${runId}.${name}`;
}

/** Where the files of an attempt are on one machine. */
export interface FilesPlace {
  sessionsDirectory: string;
  /** Of the cell: `places.cell(cellId)`. */
  cellDirectory: string;
  /** Absent if the agent was not started. */
  runId?: string | undefined;
}

/** Puts the files of an attempt on the shelf. What is too large for it is left out, and named. */
export async function shipFiles(
  shelf: Shelf,
  place: FilesPlace,
  { temporary, runId }: { temporary: string; runId: string },
): Promise<Pick<CellEnd, "files" | "problems">> {
  const folder = await mkdtemp(join(temporary, "ship-"));
  try {
    const files: ShippedFile[] = [];
    const problems: string[] = [];
    for (const [name, path] of pathsOf(place)) {
      if (!(await isFile(path))) continue;
      const packed = join(folder, name);
      await pipeline(createReadStream(path), createGzip(), createWriteStream(packed, { mode: ownerOnly }));
      try {
        files.push({ name, blob: await putFile(shelf, packed, shelfName(runId, name)) });
      } catch (error) {
        if (!(error instanceof HarnessError)) throw error;
        problems.push(`${name} of the run ${place.runId ?? ""} was left on its worker: ${error.message}`);
      }
      await rm(packed);
    }
    return { files, problems };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Brings the files of an attempt to this machine. Each is checked before the first one is put in its place. Rejects with `BlobMissing` if
 * one is not what was shipped.
 */
export async function receiveFiles(
  shelf: Shelf,
  files: readonly ShippedFile[],
  place: FilesPlace,
  temporary: string,
): Promise<void> {
  makeDirectories(temporary);
  const folder = await mkdtemp(join(temporary, "receive-"));
  try {
    const wanted = pathsOf(place).flatMap(([name, path]) => {
      const file = files.find((one) => one.name === name);
      return file === undefined ? [] : [{ name, path, blob: file.blob }];
    });
    for (const { name, blob } of wanted) {
      const packed = join(folder, `${name}.gz`);
      await getFile(shelf, blob, packed);
      await pipeline(
        createReadStream(packed),
        createGunzip(),
        createWriteStream(join(folder, name), { mode: ownerOnly }),
      );
    }
    makeDirectories(place.cellDirectory);
    if (place.runId !== undefined)
      makeDirectories(recordingPaths(place.sessionsDirectory, place.runId).folder);
    for (const { name, path } of wanted) await moveTo(join(folder, name), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In the order in which they are put in their places. A recording is listed once its sidecar is there. */
function pathsOf({ sessionsDirectory, cellDirectory, runId }: FilesPlace): [ShippedName, string][] {
  if (runId !== undefined && !isRunId(runId)) throw new Error("the id of the run is not valid");
  const recording = runId === undefined ? undefined : recordingPaths(sessionsDirectory, runId);
  const paths: [ShippedName, string][] = [];
  for (const name of shippedNames) {
    if (name === "changes.patch" || name === "setup.log" || name === "check.log")
      paths.push([name, join(cellDirectory, name)]);
    else if (recording !== undefined) paths.push([name, recording[name]]);
  }
  return paths;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** The recordings may be on another file system than the batch. */
async function moveTo(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch {
    const partial = `${to}.partial`;
    await pipeline(createReadStream(from), createWriteStream(partial, { mode: ownerOnly }));
    await rename(partial, to);
  }
}
