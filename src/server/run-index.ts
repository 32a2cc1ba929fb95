import { setImmediate } from "node:timers/promises";
import { type Recording, recordingOutcomes } from "../runs/archive/recording.js";
import { isFinished } from "../runs/archive/recording-index.js";
import type { RecordedOutcome } from "../runs/recording/recorded-outcome.js";
import { isRunId } from "../runs/run-id.js";
import { watchDirectory } from "./directory-watch.js";
import type { FindAgent } from "./find-agent.js";
import { createKnownRuns } from "./known-runs.js";
import { followRow } from "./live-row.js";
import type { MoreRuns, RunList, RunRow, RunsChange } from "./protocol.js";
import { createPulse, type Pulse } from "./pulse.js";
import { createRunChanges } from "./run-changes.js";
import { toRow, withSummary } from "./run-row.js";
import { createSlices } from "./slices.js";
import { summarizeEvents } from "./summarize-events.js";

/** How often a recording that is being written is looked at. */
const followMs = 120;
/** So often at most a run under way changes in the list. */
const rowMs = 200;
/** So many runs are told at once; the others follow. */
const firstRuns = 200;
const runsPerMessage = 1000;

/** All recordings of a directory, as they come, change and go. Looks only while somebody does. */
export interface RunIndex {
  readonly directory: string;
  /** The newest runs, and how many there are. */
  list(): RunList;
  /** So many runs, from the newest on or after the run with this id. */
  page(options: { limit: number; after?: string | undefined }): RunRow[];
  /** All others, newest first. */
  rest(): AsyncGenerator<MoreRuns>;
  row(id: string): RunRow | undefined;
  /** Starts looking. The function that is returned ends it. */
  watch(listener: (change: RunsChange) => void): () => void;
  /** For those who follow a single recording. */
  readonly pulse: Pulse;
}

/** What is remembered of a run: of one that has not ended, and of the newest ones. */
interface Entry {
  row: RunRow;
  recording: Recording;
  stop?: AbortController;
  isSummarized: boolean;
}

export interface RunIndexOptions {
  directory: string;
  findAgent: FindAgent;
  /** True for a run that was started from the page. */
  isOurs(id: string): boolean;
}

export function createRunIndex({ directory, findAgent, isOurs }: RunIndexOptions): RunIndex {
  const entries = new Map<string, Entry>();
  const known = createKnownRuns(directory, () => changes.unreadableChanged());
  const changes = createRunChanges({ row: rowOf, unreadable: known.unreadable });
  const pulse = createPulse(followMs);
  let stopWatching: (() => void) | undefined;
  let isSummarizing = false;
  let isReading = false;

  /** Names only. What is new is looked at when it is shown, or when there is time. */
  function scan(): string[] {
    const { added, gone } = known.scan();
    for (const id of gone) forget(id);
    for (const { recording } of [...entries.values()]) if (!hasEnded(recording)) look(recording.id);
    return added;
  }

  function look(id: string): void {
    const wasKnown = known.has(id);
    const recording = known.open(id);
    if (recording !== undefined) update(recording);
    else if (wasKnown || entries.has(id)) forget(id);
  }

  function update(recording: Recording): void {
    const { id, outcome } = recording;
    const before = entries.get(id);
    if (before !== undefined && before.recording.outcome === outcome && !hasEnded(recording))
      return noteStopping(before, toRow(recording, false));
    before?.stop?.abort();
    remember(recording, before?.row);
    changes.changed(id);
  }

  function noteStopping(entry: Entry, { stopping }: RunRow): void {
    if (stopping === undefined || entry.row.stopping === stopping) return;
    entry.row = { ...entry.row, stopping };
    changes.changed(entry.recording.id);
  }

  function remember(recording: Recording, before?: RunRow): Entry {
    const { id, outcome } = recording;
    const row = toRow(recording, outcome === "running" && isOurs(id));
    const entry: Entry = { recording, row, isSummarized: row.files !== undefined };
    // Until its end is summed up, what was seen of it stays.
    if (before?.files !== undefined && row.files === undefined) row.files = before.files;
    entries.set(id, entry);
    if (outcome === "running" && changes.hasListeners) void follow(entry);
    return entry;
  }

  function forget(id: string): void {
    entries.get(id)?.stop?.abort();
    entries.delete(id);
    changes.removed(id);
  }

  function rowOf(id: string): RunRow | undefined {
    const entry = entries.get(id);
    if (entry !== undefined) return entry.row;
    const recording = known.open(id);
    if (recording === undefined) return undefined;
    return hasEnded(recording) ? toRow(recording, false) : remember(recording).row;
  }

  async function follow(entry: Entry): Promise<void> {
    const { recording, row } = entry;
    entry.stop = new AbortController();
    const { signal } = entry.stop;
    try {
      for await (const next of followRow(recording, { row, findAgent, pulse, signal })) {
        if (entries.get(recording.id) !== entry) return;
        const { stopping } = entry.row;
        entry.row = stopping === undefined ? next : { ...next, stopping };
        changes.changed(recording.id);
        changes.tell(rowMs);
      }
      if (signal.aborted) return;
      look(recording.id);
      settle();
    } catch {
      // It was removed, or cannot be read: the directory tells.
    }
  }

  /** How many files a run changed is in its events; of the newest runs only, for there can be many. */
  async function summarizeNewest(): Promise<void> {
    if (isSummarizing) return;
    isSummarizing = true;
    const waiting = [...entries.values()]
      .filter(({ isSummarized, row }) => !isSummarized && row.outcome !== "running")
      .sort((a, b) => (a.row.startedAt < b.row.startedAt ? 1 : -1));
    for (const entry of waiting.slice(0, firstRuns)) {
      if (!changes.hasListeners) break;
      entry.isSummarized = true;
      try {
        const summary = await summarizeEvents(entry.recording.paths.events);
        if (entries.get(entry.recording.id) !== entry) continue;
        entry.row = withSummary(entry.row, summary.read(), summary.spent);
        changes.changed(entry.recording.id);
        changes.tell(rowMs);
      } catch {
        // Without that file the list shows what the sidecar tells.
      }
    }
    isSummarizing = false;
  }

  /** Runs that the index does not know may be under way, and are wanted in the index. */
  async function readRest(): Promise<void> {
    if (isReading) return;
    isReading = true;
    // Whoever asked for the list has it first.
    await setImmediate();
    const slice = createSlices();
    for (const id of known.ids()) {
      if (known.facts(id) !== undefined || entries.has(id)) continue;
      rowOf(id);
      await slice.next();
    }
    known.save();
    isReading = false;
    changes.tell(0);
  }

  /** After something has changed. */
  function settle(): void {
    changes.tell(0);
    void summarizeNewest();
  }

  function start(): void {
    stopWatching = watchDirectory(directory, {
      onNames(names) {
        const ids = names.map((name) => name.slice(0, -".meta.json".length));
        for (const id of ids.filter(isRunId)) look(id);
        settle();
      },
      onChange() {
        for (const id of scan()) look(id);
        settle();
      },
    });
    for (const entry of entries.values())
      if (entry.recording.outcome === "running" && entry.stop === undefined) void follow(entry);
  }

  function stop(): void {
    stopWatching?.();
    stopWatching = undefined;
    for (const entry of entries.values()) {
      entry.stop?.abort();
      delete entry.stop;
    }
  }

  return {
    directory,
    pulse,
    list() {
      scan();
      const runs: RunRow[] = [];
      for (const id of known.ids()) {
        if (runs.length >= firstRuns) break;
        const recording = entries.has(id) ? undefined : known.open(id);
        const row = recording === undefined ? entries.get(id)?.row : remember(recording).row;
        if (row !== undefined) runs.push(row);
      }
      settle();
      void readRest();
      return {
        runs,
        unreadable: known.unreadable(),
        directory,
        total: known.ids().length,
        ...countKnown(),
      };
    },
    page({ limit, after }) {
      const ids = known.ids();
      const start = after === undefined ? 0 : ids.indexOf(after) + 1;
      const runs: RunRow[] = [];
      for (let at = start; at < ids.length && runs.length < limit; at++) {
        const row = rowOf(ids[at] ?? "");
        if (row !== undefined) runs.push(row);
      }
      return runs;
    },
    async *rest() {
      const ids = known.ids().slice(firstRuns);
      const slice = createSlices();
      let runs: RunRow[] = [];
      for (const id of ids) {
        const row = known.has(id) ? rowOf(id) : undefined;
        if (row !== undefined) runs.push(row);
        await slice.next();
        if (runs.length < runsPerMessage) continue;
        yield { runs, isAll: false };
        runs = [];
      }
      yield { runs, isAll: true };
    },
    row: rowOf,
    watch(listener) {
      const wasIdle = !changes.hasListeners;
      const end = changes.listen(listener);
      if (wasIdle) start();
      return () => {
        end();
        if (!changes.hasListeners) stop();
      };
    },
  };

  function countKnown(): Pick<RunList, "outcomes" | "agents"> {
    const counts = new Map<string, number>();
    const agents = new Set<string>();
    const count = ({ outcome, agent }: { outcome: string; agent: string }): void => {
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      agents.add(agent);
    };
    for (const id of known.ids()) {
      const facts = known.facts(id);
      if (facts !== undefined) count(facts);
    }
    // A finished run is in both, and says the same.
    for (const [id, { row }] of entries) if (known.facts(id) === undefined) count(row);
    const outcomes: Partial<Record<RecordedOutcome, number>> = {};
    for (const outcome of recordingOutcomes) {
      const count = counts.get(outcome);
      if (count !== undefined) outcomes[outcome] = count;
    }
    return { outcomes, agents: [...agents].sort() };
  }
}

function hasEnded({ meta }: Recording): boolean {
  return isFinished(meta);
}
