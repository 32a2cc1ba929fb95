import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { HarnessError, messageOf, systemCode } from "../../errors.js";
import { toRawLine } from "../../events/raw-jsonl.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import type { Step } from "../../events/step.js";
import type { Piece } from "../../outputs/contract.js";
import { isLongStep } from "../../outputs/json-lines.js";
import { ownIdentity } from "../../process/process-identity.js";
import { jsonPieces } from "../../text/json-pieces.js";
import { type AppendFile, createAppendFile } from "../files/append-file.js";
import type { FileWriter } from "../files/file-writer.js";
import { makeDirectories } from "../files/make-directories.js";
import { ownerOnly } from "../files/open-file.js";
import { writeAtomically } from "../files/write-atomically.js";
import { writeMeta, writeMetaInPlace } from "./meta.js";
import { eventsFileName, patchFileName, type RecordingPaths, rawFileName, recordingPaths } from "./paths.js";
import { type PrintedLines, writePrintedLines } from "./printed-lines.js";
import type { StepBatch } from "./step-batch.js";

export interface RecorderOptions {
  /** Where the run is recorded. Left out: only `recordTo`, if any. */
  sessionsDirectory?: string | undefined;
  /** Another directory for `raw.jsonl` and `events.jsonl`. */
  recordTo?: string | undefined;
  meta: RecordingMeta;
}

/**
 * Records a run as it happens. A disk error never stops the run: the place is given up, and a sentence about it is returned
 * once.
 */
export interface Recorder {
  /** Opens the files. Throws only when the run id is taken. */
  open(): string[];
  /** `printed`: the last lines of the batch as they were printed, which are faster to record than the records. */
  write(batch: StepBatch, printed?: PrintedLines): string[];
  /** Replaces the patch. */
  keepPatch(patch: Uint8Array): string[];
  /** Changes the sidecar. */
  update(changes: Partial<RecordingMeta>): string[];
  /** The run has ended. */
  close(changes: Partial<RecordingMeta>): string[];
  /** The `.ndjson` of the recording. Undefined if the run is not recorded, or no longer. */
  readonly path: string | undefined;
}

/** A place that the run is recorded in. Only the directory of recordings has `unified`. */
interface Place {
  directory: string;
  raw?: AppendFile;
  events?: AppendFile;
  unified?: AppendFile;
  hasFailed: boolean;
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { sessionsDirectory, recordTo } = options;
  const paths =
    sessionsDirectory === undefined ? undefined : recordingPaths(sessionsDirectory, options.meta.runId);
  const sidecar = createSidecar(paths?.meta, { ...options.meta, harness: ownIdentity() });
  const own: Place | undefined = paths && { directory: paths.folder, hasFailed: false };
  const copy: Place | undefined =
    recordTo === undefined ? undefined : { directory: recordTo, hasFailed: false };
  const places = [own, copy].filter((place) => place !== undefined);

  /** Does one thing for a place. If that fails, the place is given up and the reason is returned. */
  function attempt(place: Place, action: () => void): string[] {
    if (place.hasFailed) return [];
    try {
      action();
      return [];
    } catch (error) {
      if (error instanceof HarnessError) throw error;
      place.hasFailed = true;
      closePlace(place);
      const problem = `the run cannot be recorded in ${place.directory} (${messageOf(error)}): the run is not affected, and what was written before is kept; make room there or choose another place`;
      if (place === own) sidecar.change({ problem });
      sidecar.saveIfPossible();
      return [problem];
    }
  }

  /**
   * A recording exists once it has its sidecar: it comes after the files that every reader opens, so that a harness killed
   * in between leaves no recording that cannot be read, and before the first record, because it says what the records are.
   */
  function openOwn(place: Place, { folder, ndjson }: RecordingPaths): void {
    makeDirectories(dirname(folder));
    createFolder(folder, options.meta.runId);
    openFiles(place, true);
    sidecar.save();
    place.unified = createAppendFile(ndjson, { mode: ownerOnly, isNew: true });
  }

  return {
    open() {
      return places.flatMap((place) =>
        attempt(place, () => {
          if (place === own && paths !== undefined) return openOwn(place, paths);
          makeDirectories(place.directory);
          openFiles(place, false);
        }),
      );
    },
    write(batch, printed) {
      if (batch.steps.length === 0) return [];
      return places.flatMap((place) =>
        attempt(place, () => {
          place.raw?.append((writer) => writeRaw(batch.steps, printed, writer));
          place.events?.append((writer) => writePieces(batch.pieces("events"), writer));
          place.unified?.append((writer) => writePieces(batch.pieces("ndjson"), writer));
        }),
      );
    },
    keepPatch(patch) {
      return places.flatMap((place) =>
        attempt(place, () => writeAtomically(join(place.directory, patchFileName), patch)),
      );
    },
    update(changes) {
      sidecar.change(changes);
      return own === undefined ? [] : attempt(own, sidecar.save);
    },
    close(changes) {
      sidecar.finish(changes);
      const problems = own === undefined ? [] : attempt(own, sidecar.save);
      if (own?.hasFailed) sidecar.saveIfPossible();
      for (const place of places) closePlace(place);
      return problems;
    },
    get path() {
      return own === undefined || own.hasFailed ? undefined : paths?.ndjson;
    },
  };
}

interface Sidecar {
  change(changes: Partial<RecordingMeta>): void;
  /** The run has ended: nobody holds the recording any longer. */
  finish(changes: Partial<RecordingMeta>): void;
  save(): void;
  /** The disk that refused the recording may refuse this too. */
  saveIfPossible(): void;
}

/** The sidecar of one run. `path` is undefined if the run has none. */
function createSidecar(path: string | undefined, initial: RecordingMeta): Sidecar {
  let meta = initial;
  return {
    change(changes) {
      meta = { ...meta, ...changes };
    },
    finish(changes) {
      const { harness, stopping, control, ...rest } = meta;
      meta = { ...rest, ...changes };
    },
    save() {
      if (path !== undefined) writeMeta(path, meta);
    },
    saveIfPossible() {
      if (path === undefined) return;
      for (const write of [writeMeta, writeMetaInPlace]) {
        try {
          write(path, meta);
          return;
        } catch {
          // Then the next way, if any, is tried. The problem that led here is the one that is reported.
        }
      }
    },
  };
}

function openFiles(place: Place, isNew: boolean): void {
  const options = { mode: ownerOnly, isNew };
  place.raw = createAppendFile(join(place.directory, rawFileName), options);
  place.events = createAppendFile(join(place.directory, eventsFileName), options);
}

/** Not made safe to print: `raw.jsonl` keeps each line exactly. */
function writeRaw(steps: readonly Step[], printed: PrintedLines | undefined, writer: FileWriter): void {
  if (printed === undefined) return writeRecords(steps, writer);
  writeRecords(steps.slice(0, printed.firstStep), writer);
  if (!writePrintedLines(printed, writer)) writeRecords(steps.slice(printed.firstStep), writer);
}

function writeRecords(steps: readonly Step[], { text }: FileWriter): void {
  const isLong = steps.some(isLongStep);
  for (const { record } of steps) {
    if (record === undefined) continue;
    if (!isLong) {
      text(toRawLine(record));
      continue;
    }
    for (const piece of jsonPieces(record)) text(piece);
    text("\n");
  }
}

function writePieces(pieces: readonly Piece[], { text, bytes }: FileWriter): void {
  for (const piece of pieces) {
    if (typeof piece === "string") text(piece);
    else if (piece instanceof Uint8Array) bytes(piece);
    else for (const part of piece.pieces) text(part);
  }
}

function createFolder(folder: string, runId: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    throw new HarnessError(
      "run_id_taken",
      `there is a recording of a run ${runId} already; choose another run id`,
      { cause: error },
    );
  }
}

function closePlace(place: Place): void {
  for (const file of [place.raw, place.events, place.unified]) file?.close();
  delete place.raw;
  delete place.events;
  delete place.unified;
}
