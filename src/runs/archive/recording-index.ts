import { lstatSync } from "node:fs";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { parseOwnJson } from "../../text/parse-json.js";
import { recordingPaths } from "../recording/paths.js";
import { timeOfId } from "../run-id.js";
import { type IndexFile, type KeptEntry, readIndexFile, writeIndexFile } from "./index-file.js";
import { type IndexEntries, type IndexFacts, isIndexable, noEntries } from "./index-format.js";
import { isComplete, openSession, type Session, type SessionOutcome, sessionOutcomes } from "./recording.js";
import { sessionIds } from "./recording-ids.js";

/**
 * The recordings of a directory without reading each sidecar: a file that has those of finished runs. It is nothing but a
 * copy. What is not in it, has changed since or cannot be read is read from its sidecar, and kept for the next time.
 */
export interface SessionIndex {
  /** What is known about a finished recording. */
  facts(id: string): IndexFacts | undefined;
  /** The recording as its sidecar has it now. Throws as `openSession` does. */
  open(id: string): Session;
  /** How many sidecars were read. */
  readonly reads: number;
  /** Writes the file, if there is enough that is new, or something is gone (`isTidied`). `ids`: all recordings that there are. */
  save(ids: Recordings, isTidied?: boolean): void;
  close(): void;
}

type Recordings = readonly string[] | ReadonlySet<string>;

/** So many recordings that are not in the file are no reason to write it. A share of it is none, either. */
const fewMissing = 64;
const shareMissing = 0.01;
/** Longer sidecars (it is the prompt that is long) are read when they are asked for. */
const longestStored = 16 * 1024;
/** For so many the file is not read: a short list needs no more. */
const directReads = 32;

type Kept = Extract<KeptEntry, { stored: Buffer }>;

export function createSessionIndex(directory: string, read = openSession): SessionIndex {
  const noted = new Map<string, Kept>();
  let file: IndexFile | undefined;
  let isRead = false;
  let reads = 0;

  function indexFile(): IndexFile | undefined {
    if (!isRead) file = readIndexFile(directory);
    isRead = true;
    return file;
  }

  function open(id: string): Session {
    const { meta } = recordingPaths(directory, id);
    // Before it is read: if it changes in between, it is read again the next time.
    const stamp = stampOf(meta);
    const isDirect = !isRead && reads < directReads;
    const stored = stamp === undefined || isDirect ? undefined : storedSession(id, stamp);
    if (stored !== undefined) return stored;
    reads += 1;
    const session = read(directory, id);
    if (stamp !== undefined) note(session, stamp);
    return session;
  }

  function storedSession(id: string, stamp: string): Session | undefined {
    const kept = noted.get(id);
    const entry = indexFile()?.entries.get(id);
    const bytes = kept?.stored ?? (entry && file?.read(entry));
    const outcome = (kept?.facts ?? entry)?.outcome;
    if (bytes === undefined || outcome === undefined || !isOutcome(outcome)) return undefined;
    const meta = parseStored(bytes, stamp);
    return meta && { id, outcome, meta, paths: recordingPaths(directory, id) };
  }

  function note({ id, outcome, meta }: Session, stamp: string): void {
    if (!isFinished(meta) || !isIndexable(id)) return;
    const text = Buffer.from(`${stamp}\n${JSON.stringify(meta)}\n`);
    const stored = text.length > longestStored ? Buffer.alloc(0) : text;
    // One that is too long to be stored is read each time, and is nothing new each time.
    if (stored.length === 0 && file?.entries.get(id)?.length === 0) return;
    noted.set(id, {
      facts: { id, outcome, time: timeOf(id, meta), agent: meta.agent, cwd: meta.cwd },
      stored,
    });
  }

  function save(ids: Recordings, isTidied = false): void {
    if (!isRead && noted.size < fewMissing && !isTidied) return;
    const before = indexFile();
    const old = before?.entries ?? noEntries;
    // One that is gone while another has come is noticed when the file is next written.
    const isSomethingGone = isTidied || countOf(ids) < old.size;
    if (noted.size < fewMissing + old.size * shareMissing && !isSomethingGone) return;
    if (!writeIndexFile(directory, toKept(ids, old), before)) return;
    before?.close();
    noted.clear();
    isRead = false;
  }

  function toKept(ids: Recordings, old: IndexEntries): KeptEntry[] {
    const kept: KeptEntry[] = [];
    // The newest first, as lists ask for them.
    for (const id of [...ids].sort().reverse()) {
      const newer = noted.get(id);
      const entry = newer === undefined ? old.get(id) : undefined;
      if (newer !== undefined) kept.push(newer);
      else if (entry !== undefined) kept.push({ old: entry });
    }
    return kept;
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

/** Leaves nothing in the index of recordings that are gone. */
export function tidyIndex(directory: string): void {
  const file = readIndexFile(directory);
  if (file === undefined) return;
  const ids = sessionIds(directory);
  const known = ids.filter((id) => file.entries.get(id) !== undefined);
  file.close();
  if (known.length === file.entries.size) return;
  const index = createSessionIndex(directory);
  index.save(ids, true);
  index.close();
}

function countOf(ids: Recordings): number {
  return "size" in ids ? ids.size : ids.length;
}

/** Nobody writes the sidecar of a finished run again. */
export function isFinished({ endedAt, outcome }: RecordingMeta): boolean {
  return endedAt !== undefined && outcome !== undefined;
}

/** When a run began: its id tells, or its sidecar. */
function timeOf(id: string, { startedAt }: RecordingMeta): number {
  return timeOfId(id) ?? Date.parse(startedAt);
}

/** Changes when a sidecar does. Undefined for what is no plain file. */
function stampOf(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : undefined;
}

function parseStored(bytes: Buffer, stamp: string): RecordingMeta | undefined {
  if (bytes.toString("latin1", 0, stamp.length + 1) !== `${stamp}\n`) return undefined;
  const meta = parseOwnJson(bytes.toString("utf8", stamp.length + 1));
  return isComplete(meta) ? meta : undefined;
}

const outcomes: ReadonlySet<string> = new Set(sessionOutcomes);

function isOutcome(text: string): text is SessionOutcome {
  return outcomes.has(text);
}
