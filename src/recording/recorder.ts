import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { HarnessError, messageOf, systemCode } from "../errors.js";
import { formats, toNdjson } from "../formats/index.js";
import type { HarnessEvent } from "../vocabulary/event.js";
import { type AppendFile, createAppendFile } from "./append-file.js";
import { makeDirectories } from "./make-directories.js";
import { type RecordingMeta, writeMeta } from "./meta.js";
import { eventsFileName, rawFileName, recordingPaths } from "./paths.js";
import { ownIdentity } from "./process-identity.js";
import type { Step } from "./step.js";

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
  close(changes: Partial<RecordingMeta>): void;
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
  const unifiedView = formats.ndjson.create();
  const eventsView = formats.events.create();
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
      const problem = `the run cannot be recorded in ${place.directory} (${messageOf(error)}); it goes on without, and what is there is kept`;
      if (place === session) meta = { ...meta, problem };
      saveMetaIfPossible();
      return [problem];
    }
  }

  function saveMeta(): void {
    if (paths !== undefined) writeMeta(paths.meta, meta);
  }

  function saveMetaIfPossible(): void {
    try {
      saveMeta();
    } catch {
      // The disk that refused the recording refuses this too.
    }
  }

  return {
    open() {
      return places.flatMap((place) =>
        attempt(place, () => {
          makeDirectories(place === session ? dirname(place.directory) : place.directory);
          if (place === session) createFolder(place.directory, meta.runId);
          place.raw = createAppendFile(join(place.directory, rawFileName));
          place.events = createAppendFile(join(place.directory, eventsFileName));
          if (place !== session || paths === undefined) return;
          place.unified = createAppendFile(paths.ndjson);
          saveMeta();
        }),
      );
    },
    write(steps) {
      if (places.every((place) => place.hasFailed)) return [];
      const raw = toRawText(steps);
      const events = toText(eventsView, steps);
      const unified = toText(unifiedView, steps);
      return places.flatMap((place) =>
        attempt(place, () => {
          if (raw !== "") place.raw?.append(raw);
          if (events !== "") place.events?.append(events);
          if (unified !== "") place.unified?.append(unified);
        }),
      );
    },
    update(changes) {
      meta = { ...meta, ...changes };
      return session === undefined ? [] : attempt(session, saveMeta);
    },
    close(changes) {
      const { harness, ...rest } = meta;
      meta = { ...rest, ...changes };
      if (session?.hasFailed) saveMetaIfPossible();
      else if (session !== undefined) attempt(session, saveMeta);
      for (const place of places) closePlace(place);
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

function toRawText(steps: readonly Step[]): string {
  let text = "";
  for (const { record } of steps) if (record !== undefined) text += `${JSON.stringify(record)}\n`;
  return text;
}

function toText(view: { push(events: readonly HarnessEvent[]): unknown[] }, steps: readonly Step[]): string {
  let text = "";
  for (const { events } of steps) if (events.length > 0) text += toNdjson(view.push(events));
  return text;
}
