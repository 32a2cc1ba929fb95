import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { HarnessError, messageOf, systemCode } from "../errors.js";
import { formats, toNdjson } from "../formats/index.js";
import type { HarnessEvent } from "../vocabulary/event.js";
import { type AppendFile, createAppendFile } from "./append-file.js";
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
  close(changes: Partial<RecordingMeta>): string[];
  /** The `.ndjson` of the session; undefined when it is not, or no longer, recorded. */
  readonly path: string | undefined;
}

/** One place that the run is recorded in. */
interface Place {
  directory: string;
  raw: AppendFile;
  events: AppendFile;
  /** Only in the sessions directory. */
  unified?: AppendFile;
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { sessionsDirectory, recordTo } = options;
  const paths = sessionsDirectory === undefined ? undefined : recordingPaths(sessionsDirectory, options.meta.runId);
  const unifiedView = formats.ndjson.create();
  const eventsView = formats.events.create();
  let meta: RecordingMeta = { ...options.meta, harness: ownIdentity() };
  let session: Place | undefined;
  let copy: Place | undefined;

  /** Does one thing for a place; when that fails, the place is given up. */
  function attempt(directory: string, action: () => void): string[] {
    try {
      action();
      return [];
    } catch (error) {
      if (error instanceof HarnessError) throw error;
      const problem = `the run can not be recorded in ${directory}: ${messageOf(error)}; it goes on, and what was recorded so far is kept`;
      giveUp(directory, problem);
      return [problem];
    }
  }

  function giveUp(directory: string, problem: string): void {
    const place = directory === session?.directory ? session : copy;
    if (place === session) session = undefined;
    else copy = undefined;
    if (place !== undefined) closePlace(place);
    if (paths === undefined || directory !== paths.folder) return;
    meta = { ...meta, problem };
    tryTo(() => writeMeta(paths.meta, meta));
  }

  return {
    open() {
      const problems: string[] = [];
      if (paths !== undefined && sessionsDirectory !== undefined) {
        problems.push(
          ...attempt(paths.folder, () => {
            mkdirSync(sessionsDirectory, { recursive: true, mode: 0o700 });
            createFolder(paths.folder, meta.runId);
            session = { ...openPlace(paths.folder), unified: createAppendFile(paths.ndjson) };
            writeMeta(paths.meta, meta);
          }),
        );
      }
      if (recordTo !== undefined) {
        problems.push(
          ...attempt(recordTo, () => {
            mkdirSync(recordTo, { recursive: true, mode: 0o700 });
            copy = openPlace(recordTo);
          }),
        );
      }
      return problems;
    },
    write(steps) {
      if (session === undefined && copy === undefined) return [];
      const raw = toRawText(steps);
      const events = viewText(eventsView, steps);
      const unified = viewText(unifiedView, steps);
      const problems: string[] = [];
      for (const place of [session, copy]) {
        if (place === undefined) continue;
        problems.push(
          ...attempt(place.directory, () => {
            if (raw !== "") place.raw.append(raw);
            if (events !== "") place.events.append(events);
            if (unified !== "") place.unified?.append(unified);
          }),
        );
      }
      return problems;
    },
    update(changes) {
      meta = { ...meta, ...changes };
      if (paths === undefined || session === undefined) return [];
      return attempt(paths.folder, () => writeMeta(paths.meta, meta));
    },
    close(changes) {
      const { harness, ...rest } = meta;
      meta = { ...rest, ...changes };
      const problems: string[] = [];
      if (paths !== undefined && session !== undefined) {
        problems.push(...attempt(paths.folder, () => writeMeta(paths.meta, meta)));
      } else if (paths !== undefined && meta.problem !== undefined) {
        tryTo(() => writeMeta(paths.meta, meta));
      }
      for (const place of [session, copy]) if (place !== undefined) closePlace(place);
      copy = undefined;
      return problems;
    },
    get path() {
      return session === undefined ? undefined : paths?.ndjson;
    },
  };
}

function createFolder(folder: string, runId: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    throw new HarnessError("run_id_taken", `there is a recording of a run ${runId} already; choose another run id`, { cause: error });
  }
}

function openPlace(directory: string): Place {
  const raw = createAppendFile(join(directory, rawFileName));
  return { directory, raw, events: createAppendFile(join(directory, eventsFileName)) };
}

function closePlace(place: Place): void {
  for (const file of [place.raw, place.events, place.unified]) if (file !== undefined) tryTo(() => file.close());
}

/** For what is worth a try when things have gone wrong already. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // The problem has been told.
  }
}

function toRawText(steps: readonly Step[]): string {
  let text = "";
  for (const { record } of steps) if (record !== undefined) text += `${JSON.stringify(record)}\n`;
  return text;
}

function viewText(view: { push(events: readonly HarnessEvent[]): unknown[] }, steps: readonly Step[]): string {
  let text = "";
  for (const { events } of steps) if (events.length > 0) text += toNdjson(view.push(events));
  return text;
}
