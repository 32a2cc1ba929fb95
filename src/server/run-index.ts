import { setImmediate } from "node:timers/promises";
import { isRunId } from "../events/run-id.js";
import { countRuns } from "./count-runs.js";
import { watchDirectory } from "./directory-watch.js";
import type { FindAgent } from "./find-agent.js";
import { createKnownRuns, type KnownRuns } from "./known-runs.js";
import { createLiveRows } from "./live-rows.js";
import type { MoreRuns, RunList, RunRow, RunsChange } from "./protocol.js";
import { createPulse, type Pulse } from "./pulse.js";
import { createRunChanges } from "./run-changes.js";
import { createRunEntries, type RunEntries } from "./run-entries.js";
import type { OwnKind } from "./run-row.js";
import { summarizeNewest } from "./summarize-runs.js";

/** How often a recording that is being written is read. */
const followMs = 120;
/** The first message lists this many runs; the others follow. */
const firstRuns = 200;
const runsPerMessage = 1000;

/** All recordings of a directory, as they appear, change and disappear. The directory is watched only while somebody listens. */
export interface RunIndex {
  readonly directory: string;
  /** The newest runs, and how many there are. */
  list(): RunList;
  /** At most `limit` runs, starting with the newest or behind the run with the id `after`. */
  page(options: PageOptions): RunRow[];
  /** All runs that `list` leaves out, newest first. */
  rest(): AsyncGenerator<MoreRuns>;
  row(id: string): RunRow | undefined;
  /** Undefined for a run that was not started from the page. */
  ownKind(id: string): OwnKind | undefined;
  /** The live sessions under way that take answers, also while nobody watches the directory. */
  answerable(): string[];
  /** Calls the listener whenever runs change, until the returned function is called. */
  watch(listener: (change: RunsChange) => void): () => void;
  /** Wakes those who follow a single recording. */
  readonly pulse: Pulse;
}

export interface RunIndexOptions {
  directory: string;
  findAgent: FindAgent;
  /** Undefined for a run that was not started from the page. */
  ownKind(id: string): OwnKind | undefined;
}

interface PageOptions {
  limit: number;
  after?: string | undefined;
  /** Only runs that have all of these. `since` is in milliseconds. */
  filter?: RunFilter | undefined;
}

export interface RunFilter {
  agent?: string | undefined;
  outcome?: string | undefined;
  since?: number | undefined;
}

/** The runs of a directory: all ids, and what is remembered of some of them. */
interface Runs {
  known: KnownRuns;
  entries: RunEntries;
}

export function createRunIndex({ directory, findAgent, ownKind }: RunIndexOptions): RunIndex {
  const pulse = createPulse(followMs);
  const known = createKnownRuns(directory, () => changes.unreadableChanged());
  const changes = createRunChanges({ row: (id) => entries.row(id), unreadable: known.unreadable });
  const entries = createRunEntries({ known, changes, ownKind, onRunning: (entry) => live.follow(entry) });
  const live = createLiveRows({ entries, changes, findAgent, pulse, onEnded: announce });
  const runs: Runs = { known, entries };
  const summarize = oneAtATime(() => summarizeNewest(entries, changes, firstRuns));
  const readUnread = oneAtATime(async () => {
    await openUnread(runs);
    changes.emit(0);
  });

  function announce(): void {
    changes.emit(0);
    summarize();
  }

  /** Reads names only. The ids of new recordings are returned; they are opened when they are shown, or when there is time. */
  function scan(): string[] {
    const { added, gone } = known.scan();
    for (const id of gone) entries.forget(id);
    entries.refreshUnfinished();
    return added;
  }

  function refresh(ids: readonly string[]): void {
    for (const id of ids) entries.refresh(id);
    announce();
  }

  function startWatching(): () => void {
    const stopWatching = watchDirectory(directory, {
      onIds: (ids) => refresh(ids.filter(isRunId)),
      onChange: () => refresh(scan()),
    });
    live.followAll();
    return () => {
      stopWatching();
      live.stop();
    };
  }

  let stop: (() => void) | undefined;
  return {
    directory,
    pulse,
    row: entries.row,
    ownKind,
    answerable() {
      refresh(scan());
      return entries.all().flatMap(({ row }) => (row.isAnswerable ? [row.id] : []));
    },
    list() {
      scan();
      const newest = newestRows(runs);
      announce();
      readUnread();
      const total = known.ids().length;
      return { runs: newest, unreadable: known.unreadable(), directory, total, ...countRuns(known, entries) };
    },
    page: (options) => pageOf(runs, options),
    rest: () => rowsAfterNewest(runs),
    watch(listener) {
      const unlisten = changes.listen(listener);
      stop ??= startWatching();
      return () => {
        unlisten();
        if (changes.hasListeners) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

function newestRows({ known, entries }: Runs): RunRow[] {
  const rows: RunRow[] = [];
  for (const id of known.ids()) {
    if (rows.length >= firstRuns) break;
    const row = entries.keep(id);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

function pageOf({ known, entries }: Runs, { limit, after, filter = {} }: PageOptions): RunRow[] {
  const ids = known.ids();
  const rows: RunRow[] = [];
  for (const id of ids.slice(after === undefined ? 0 : ids.indexOf(after) + 1)) {
    if (rows.length >= limit) break;
    // The index file saves reading the sidecars of runs that are not wanted.
    const facts = known.facts(id);
    if (facts !== undefined && !isWanted(facts, filter)) continue;
    const row = entries.row(id);
    if (row !== undefined && isWanted({ ...row, time: Date.parse(row.startedAt) }, filter)) rows.push(row);
  }
  return rows;
}

function isWanted(
  run: { agent: string; outcome: string; time: number },
  { agent, outcome, since }: RunFilter,
): boolean {
  if (agent !== undefined && run.agent !== agent) return false;
  if (outcome !== undefined && run.outcome !== outcome) return false;
  return since === undefined || run.time >= since;
}

async function* rowsAfterNewest({ known, entries }: Runs): AsyncGenerator<MoreRuns> {
  const slice = createSlices();
  let runs: RunRow[] = [];
  for (const id of known.ids().slice(firstRuns)) {
    const row = known.has(id) ? entries.row(id) : undefined;
    if (row !== undefined) runs.push(row);
    await slice.next();
    if (runs.length < runsPerMessage) continue;
    yield { runs, isAll: false };
    runs = [];
  }
  yield { runs, isAll: true };
}

/** Opens the recordings that the index file does not have: they may be under way, and finished ones should be added to the file. */
async function openUnread({ known, entries }: Runs): Promise<void> {
  // The caller gets its list first.
  await setImmediate();
  const slice = createSlices();
  for (const id of known.ids()) {
    if (known.facts(id) !== undefined || entries.get(id) !== undefined) continue;
    entries.row(id);
    await slice.next();
  }
  known.save();
}

/** Starts the task, unless it is still at work. */
function oneAtATime(task: () => Promise<void>): () => void {
  let isBusy = false;
  return () => {
    if (isBusy) return;
    isBusy = true;
    void task().finally(() => {
      isBusy = false;
    });
  };
}

/** Sidecars are read for this long before other work gets a turn. */
const sliceMs = 15;

/** `next` gives other work a turn once the current slice of time is used up. */
function createSlices(): { next(): Promise<void> | undefined } {
  let start = performance.now();
  return {
    next() {
      if (performance.now() - start < sliceMs) return undefined;
      return setImmediate().then(() => {
        start = performance.now();
      });
    },
  };
}
