import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { HarnessError, messageOf, systemCode } from "../../errors.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import type { Step } from "../../events/step.js";
import { ownIdentity } from "../../process/process-identity.js";
import { type AppendFile, createAppendFile } from "../files/append-file.js";
import { makeDirectories } from "../files/make-directories.js";
import { ownerOnly } from "../files/open-file.js";
import { writeMeta, writeMetaInPlace } from "./meta.js";
import { eventsFileName, rawFileName, recordingPaths } from "./paths.js";
import { createStepTexts } from "./step-texts.js";

export interface RecorderOptions {
  /** Where the run is recorded. Left out: only `recordTo`, if any. */
  sessionsDirectory?: string | undefined;
  /** Another directory for `raw.jsonl` and `events.jsonl`. */
  recordTo?: string | undefined;
  meta: RecordingMeta;
}

/**
 * Records a run as it happens. A disk that refuses never stops the run: that place is given up, and the
 * sentence about it is returned, once.
 */
export interface Recorder {
  /** Opens the files. Throws only when the run id is taken. */
  open(): string[];
  write(steps: readonly Step[]): string[];
  /** Changes the sidecar. */
  update(changes: Partial<RecordingMeta>): string[];
  /** The run has ended. */
  close(changes: Partial<RecordingMeta>): string[];
  /** The `.ndjson` of the session; undefined when it is not, or no longer, recorded. */
  readonly path: string | undefined;
}

/** A place that the run is recorded in; `unified` only in the sessions directory. */
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
  const session: Place | undefined = paths && { directory: paths.folder, hasFailed: false };
  const copy: Place | undefined =
    recordTo === undefined ? undefined : { directory: recordTo, hasFailed: false };
  const places = [session, copy].filter((place) => place !== undefined);
  const toTexts = createStepTexts();
  let meta: RecordingMeta = { ...options.meta, harness: ownIdentity() };

  /** Does one thing for a place. When that fails, the place is given up and the reason is told. */
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
      if (place === session) meta = { ...meta, problem };
      saveMetaIfPossible();
      return [problem];
    }
  }

  function saveMeta(): void {
    if (paths !== undefined) writeMeta(paths.meta, meta);
  }

  /** The disk that refused the recording may refuse this too. */
  function saveMetaIfPossible(): void {
    if (paths === undefined) return;
    for (const write of [writeMeta, writeMetaInPlace]) {
      try {
        write(paths.meta, meta);
        return;
      } catch {
        // The next way, or none: the problem that led here is the one to tell.
      }
    }
  }

  return {
    open() {
      return places.flatMap((place) =>
        attempt(place, () => {
          makeDirectories(place === session ? dirname(place.directory) : place.directory);
          if (place === session) {
            createFolder(place.directory, meta.runId);
            // Before the files: whatever there is of a recording, its sidecar tells what it is.
            saveMeta();
          }
          const options = { mode: ownerOnly, isNew: place === session };
          place.raw = createAppendFile(join(place.directory, rawFileName), options);
          place.events = createAppendFile(join(place.directory, eventsFileName), options);
          if (place === session && paths !== undefined)
            place.unified = createAppendFile(paths.ndjson, options);
        }),
      );
    },
    write(steps) {
      if (steps.length === 0 || places.length === 0) return [];
      // Also when every place has failed: whoever prints the run counts on them.
      const texts = toTexts(steps);
      return places.flatMap((place) =>
        attempt(place, () => {
          place.raw?.append(texts.raw);
          place.events?.append(texts.events);
          place.unified?.append(texts.unified);
        }),
      );
    },
    update(changes) {
      meta = { ...meta, ...changes };
      return session === undefined ? [] : attempt(session, saveMeta);
    },
    close(changes) {
      const { harness, stopping, ...rest } = meta;
      meta = { ...rest, ...changes };
      const problems = session === undefined ? [] : attempt(session, saveMeta);
      if (session?.hasFailed) saveMetaIfPossible();
      for (const place of places) closePlace(place);
      return problems;
    },
    get path() {
      return session === undefined || session.hasFailed ? undefined : paths?.ndjson;
    },
  };
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
