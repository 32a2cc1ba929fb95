import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { HarnessError } from "../../errors.js";
import type { ProcessIdentity } from "../../events/recording-meta.js";
import { isSameProcess, ownIdentity } from "../../process/process-identity.js";
import { makeDirectories } from "../../runs/files/make-directories.js";
import { readRegularFile } from "../../runs/files/regular-file.js";
import { writeAtomically } from "../../runs/files/write-atomically.js";
import { recordingPaths } from "../../runs/recording/paths.js";
import { parseOwnJson } from "../../text/parse-json.js";
import { type BatchPlaces, batchPlaces } from "../places.js";

/** The directory of one worker process. Nothing in it is needed after the worker. */
export interface WorkerPlaces {
  directory: string;
  /** Recordings, until they are shipped. */
  sessions: string;
  sources: string;
  temporary: string;
  /** The places of one attempt: nobody else uses them. */
  run(runId: string): BatchPlaces;
  removeRun(runId: string): Promise<void>;
  remove(): Promise<void>;
}

const ownerName = "owner.json";

/** Makes the directory of this worker, and removes those of workers on this machine that were killed. */
export async function makeWorkerPlaces(base = defaultBase()): Promise<WorkerPlaces> {
  makeDirectories(base);
  refuseForeignDirectory(base);
  for (const name of readdirSync(base))
    if (name.startsWith("worker-") && isLeft(join(base, name)))
      await rm(join(base, name), { recursive: true, force: true });
  const directory = join(base, `worker-${process.pid}-${randomBytes(4).toString("hex")}`);
  mkdirSync(directory, { mode: 0o700 });
  writeAtomically(join(directory, ownerName), JSON.stringify(ownIdentity()));
  const places = {
    directory,
    sessions: join(directory, "sessions"),
    sources: join(directory, "sources"),
    temporary: join(directory, "temporary"),
  };
  for (const path of [places.sessions, places.sources, places.temporary]) mkdirSync(path, { mode: 0o700 });
  return {
    ...places,
    run: (runId) => batchPlaces(join(directory, "runs", runId)),
    async removeRun(runId) {
      const { ndjson, meta, folder } = recordingPaths(places.sessions, runId);
      for (const path of [join(directory, "runs", runId), ndjson, meta, folder])
        await rm(path, { recursive: true, force: true });
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

function defaultBase(): string {
  return join(tmpdir(), `harness-workers-${userInfo().username}`);
}

/** Others can write to the system's temporary directory: they may have made ours before us. */
function refuseForeignDirectory(path: string): void {
  const found = lstatSync(path);
  const isOurs = found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
  if (!isOurs)
    throw new HarnessError(
      "invalid_option",
      `${path} belongs to somebody else; choose another directory for the worker`,
    );
  chmodSync(path, 0o700);
}

/** True if the worker of this directory is gone. */
function isLeft(directory: string): boolean {
  try {
    const owner = parseOwnJson(readRegularFile(join(directory, ownerName)));
    return !isIdentity(owner) || !isSameProcess(owner);
  } catch {
    // It is being made, or was left before it was complete. The next worker sees it again.
    return Date.now() - lstatSync(directory).mtimeMs > 60_000;
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return typeof value === "object" && value !== null && "pid" in value && typeof value.pid === "number";
}
