import { lstatSync } from "node:fs";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { timeOfId } from "../../events/run-id.js";
import { parseOwnJson } from "../../text/parse-json.js";
import { recordingPaths } from "../recording/paths.js";
import type { RecordedOutcome } from "../recording/recorded-outcome.js";
import { type IndexFile, type KeptEntry, readIndexFile, writeIndexFile } from "./index-file.js";
import { type IndexEntries, type IndexFacts, isIndexable, noEntries } from "./index-format.js";
import { isComplete, openRecording, type Recording, recordingOutcomes } from "./recording.js";
import { recordingIds } from "./recording-ids.js";

/**
 * Opens the recordings of a directory without reading each sidecar: the index file has copies of the sidecars of finished
 * runs. A sidecar that is not in the file, or has changed since, is read and added to the file later.
 */
export interface RecordingIndex {
  /** What is known about a finished recording. */
  facts(id: string): IndexFacts | undefined;
  /** Opens a recording as its sidecar is now. Throws like `openRecording`. */
  open(id: string): Recording;
  /** The number of sidecars that were read. */
  readonly reads: number;
  /** Writes the index file if enough is new or recordings are gone, or in any case (`isTidied`). `ids`: all recordings that exist. */
  save(ids: Recordings, isTidied?: boolean): void;
  close(): void;
}

type Recordings = readonly string[] | ReadonlySet<string>;

/** The file is written once more recordings are missing in it than this number plus this share of its entries. */
const fewMissing = 64;
const shareMissing = 0.01;
/** Longer sidecars (because of a long prompt) are not stored, but read when they are needed. */
const longestStored = 16 * 1024;
/** The first sidecars are read directly: a short list does not need the index file. */
const directReads = 32;

type Kept = Extract<KeptEntry, { stored: Buffer }>;

export function createRecordingIndex(directory: string, read = openRecording): RecordingIndex {
  const noted = new Map<string, Kept>();
  let file: IndexFile | undefined;
  let isRead = false;
  let reads = 0;

  function indexFile(): IndexFile | undefined {
    if (!isRead) file = readIndexFile(directory);
    isRead = true;
    return file;
  }

  function open(id: string): Recording {
    const { meta } = recordingPaths(directory, id);
    // Taken before the sidecar is read: if it changes in between, it is read again the next time.
    const stamp = stampOf(meta);
    const isDirect = !isRead && reads < directReads;
    const stored = stamp === undefined || isDirect ? undefined : storedRecording(id, stamp);
    if (stored !== undefined) return stored;
    reads += 1;
    const recording = read(directory, id);
    if (stamp !== undefined) note(recording, stamp);
    return recording;
  }

  function storedRecording(id: string, stamp: string): Recording | undefined {
    const kept = noted.get(id);
    const entry = indexFile()?.entries.get(id);
    const bytes = kept?.stored ?? (entry && file?.read(entry));
    const outcome = (kept?.facts ?? entry)?.outcome;
    if (bytes === undefined || outcome === undefined || !isOutcome(outcome)) return undefined;
    const meta = parseStored(bytes, stamp);
    return meta && { id, outcome, meta, paths: recordingPaths(directory, id) };
  }

  function note({ id, outcome, meta }: Recording, stamp: string): void {
    if (!isFinished(meta) || !isIndexable(id)) return;
    const text = Buffer.from(`${stamp}\n${JSON.stringify(meta)}\n`);
    const stored = text.length > longestStored ? Buffer.alloc(0) : text;
    // A sidecar that is too long to be stored is read each time, but its entry is not new.
    if (stored.length === 0 && file?.entries.get(id)?.length === 0) return;
    noted.set(id, {
      facts: { ...listedFacts({ id, outcome, meta }), time: timeOf(id, meta) },
      stored,
    });
  }

  function save(ids: Recordings, isTidied = false): void {
    if (!isRead && noted.size < fewMissing && !isTidied) return;
    const before = indexFile();
    const old = before?.entries ?? noEntries;
    // If one recording is gone and another one is new, that is noticed when the file is next written.
    const isSomethingGone = isTidied || countOf(ids) < old.size;
    if (noted.size < fewMissing + old.size * shareMissing && !isSomethingGone) return;
    if (!writeIndexFile(directory, toKept(ids, noted, old), before)) return;
    before?.close();
    noted.clear();
    isRead = false;
  }

  return {
    facts: (id) => (noted.size > 0 ? noted.get(id)?.facts : undefined) ?? indexFile()?.entries.get(id),
    open,
    save,
    get reads() {
      return reads;
    },
    close() {
      file?.close();
      file = undefined;
    },
  };
}

function toKept(ids: Recordings, noted: ReadonlyMap<string, Kept>, old: IndexEntries): KeptEntry[] {
  const kept: KeptEntry[] = [];
  // Newest first, which is the order of lists.
  for (const id of [...ids].sort().reverse()) {
    const newer = noted.get(id);
    const entry = newer === undefined ? old.get(id) : undefined;
    if (newer !== undefined) kept.push(newer);
    else if (entry !== undefined) kept.push({ old: entry });
  }
  return kept;
}

/** Removes recordings that are gone from the index. */
export function tidyIndex(directory: string): void {
  const file = readIndexFile(directory);
  if (file === undefined) return;
  const ids = recordingIds(directory);
  const known = ids.filter((id) => file.entries.get(id) !== undefined);
  file.close();
  if (known.length === file.entries.size) return;
  const index = createRecordingIndex(directory);
  index.save(ids, true);
  index.close();
}

function countOf(ids: Recordings): number {
  return "size" in ids ? ids.size : ids.length;
}

/** True: the run has ended, and its sidecar is not written again. */
export function isFinished({ endedAt, outcome }: RecordingMeta): boolean {
  return endedAt !== undefined && outcome !== undefined;
}

/** What lists filter by. */
export function listedFacts({ id, outcome, meta }: Omit<Recording, "paths">): Omit<IndexFacts, "time"> {
  return { id, outcome, agent: meta.agent, cwd: meta.cwd, batch: meta.batch?.id ?? "" };
}

/** When a run began, according to its id or else its sidecar. */
function timeOf(id: string, { startedAt }: RecordingMeta): number {
  return timeOfId(id) ?? Date.parse(startedAt);
}

/** Differs whenever the sidecar has changed. Undefined when it is not a plain file. */
function stampOf(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : undefined;
}

function parseStored(bytes: Buffer, stamp: string): RecordingMeta | undefined {
  if (bytes.toString("latin1", 0, stamp.length + 1) !== `${stamp}\n`) return undefined;
  const meta = parseOwnJson(bytes.toString("utf8", stamp.length + 1));
  return isComplete(meta) ? meta : undefined;
}

const outcomes: ReadonlySet<string> = new Set(recordingOutcomes);

function isOutcome(text: string): text is RecordedOutcome {
  return outcomes.has(text);
}
