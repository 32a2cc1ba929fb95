import { type FSWatcher, lstatSync, watch } from "node:fs";
import { HarnessError } from "../errors.js";
import { describeOperation, type OperationEvent } from "../formats/run-events/activity.js";
import { isRunId } from "../run/run-id.js";
import type { Session } from "../sessions/session.js";
import { sessionIds } from "../sessions/session-ids.js";
import { createSummary } from "../summary/index.js";
import type { HarnessEvent } from "../vocabulary/event.js";
import { operationTypes } from "../vocabulary/operation-types.js";
import type { FindAgent } from "./find-agent.js";
import { followSession } from "./follow-session.js";
import { openPlainSession } from "./open-plain-session.js";
import type { RunList, RunRow, RunsChange, UnreadableRun } from "./protocol.js";
import { createPulse, type Pulse } from "./pulse.js";
import { toRow, withSummary } from "./run-row.js";
import { summarizeEvents } from "./summarize-events.js";

/** How often the directory is looked at, where the system tells of no changes. */
const scanMs = 400;
/** How often a recording that is being written is looked at. */
const followMs = 120;
/** So often at most a run under way changes in the list. */
const rowMs = 200;

/** All recordings of a directory, as they come, change and go. Looks only while somebody does. */
export interface RunIndex {
  readonly directory: string;
  /** What is there now, newest first. */
  list(): RunList;
  row(id: string): RunRow | undefined;
  /** Starts looking. The function that is returned ends it. */
  watch(listener: (change: RunsChange) => void): () => void;
  /** For those who follow a single recording. */
  readonly pulse: Pulse;
}

interface Entry {
  row: RunRow;
  session: Session;
  /** Changes with the sidecar. */
  stamp: string;
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
  const unreadable = new Map<string, UnreadableRun & { stamp: string }>();
  const listeners = new Set<(change: RunsChange) => void>();
  const changed = new Set<string>();
  const removed = new Set<string>();
  const pulse = createPulse(followMs);
  let hasNewProblems = false;
  let timer: NodeJS.Timeout | undefined;
  let telling: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  let isSummarizing = false;

  function scan(): void {
    const ids = new Set(sessionIds(directory).filter(isRunId));
    for (const id of ids) look(id);
    for (const [id, entry] of entries) if (!ids.has(id)) forget(id, entry);
    for (const id of unreadable.keys()) if (!ids.has(id)) hasNewProblems = unreadable.delete(id);
    tellSoon(0);
    void summarizeRest();
  }

  function look(id: string): void {
    const known = entries.get(id);
    if (known !== undefined && known.session.outcome !== "running" && known.session.outcome !== "interrupted")
      return;
    const stamp = stampOf(directory, id);
    if (stamp === undefined || unreadable.get(id)?.stamp === stamp) return;
    if (known !== undefined && known.stamp === stamp && known.session.outcome === "interrupted") return;
    try {
      update(openPlainSession(directory, id), stamp);
      hasNewProblems = unreadable.delete(id) || hasNewProblems;
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      unreadable.set(id, { id, message: error.message, stamp });
      hasNewProblems = true;
    }
  }

  function update(session: Session, stamp: string): void {
    const { id, outcome } = session;
    const known = entries.get(id);
    if (known !== undefined && known.session.outcome === outcome) {
      known.stamp = stamp;
      noteStopping(known, toRow(session, false));
      return;
    }
    known?.stop?.abort();
    const row = toRow(session, outcome === "running" && isOurs(id));
    const entry: Entry = { session, stamp, row, isSummarized: row.files !== undefined };
    // Until its end is summed up, what was seen of it stays.
    if (known?.row.files !== undefined && row.files === undefined) row.files = known.row.files;
    entries.set(id, entry);
    changed.add(id);
    if (outcome === "running" && listeners.size > 0) void follow(entry);
  }

  function noteStopping(entry: Entry, { stopping }: RunRow): void {
    if (stopping === undefined || entry.row.stopping === stopping) return;
    entry.row = { ...entry.row, stopping };
    changed.add(entry.session.id);
  }

  function forget(id: string, entry: Entry): void {
    entry.stop?.abort();
    entries.delete(id);
    removed.add(id);
  }

  /** A run under way: its numbers are in its events only. */
  async function follow(entry: Entry): Promise<void> {
    const { session } = entry;
    entry.stop = new AbortController();
    const { signal } = entry.stop;
    const summary = createSummary();
    const base = entry.row;
    let { cwd } = session.meta;
    try {
      const { agent } = await findAgent(session.meta.agent);
      for await (const steps of followSession(session, agent, { pulse, signal })) {
        let latest: string | undefined;
        for (const step of steps)
          for (const event of step.events) {
            summary.add(event);
            if (event.type === "session") cwd = event.cwd ?? cwd;
            latest = describeActivity(event, cwd) ?? latest;
          }
        if (signal.aborted || entries.get(session.id) !== entry) return;
        const { latest: before, stopping } = entry.row;
        entry.row = withSummary(base, summary.read(), summary.spent);
        if (stopping !== undefined) entry.row.stopping = stopping;
        const now = latest ?? before;
        if (now !== undefined) entry.row.latest = now;
        changed.add(session.id);
        tellSoon(rowMs);
      }
      if (!signal.aborted) scan();
    } catch {
      // It was removed, or cannot be read: the scan tells.
    }
  }

  /** How many files a run changed is in its events; the newest runs first. */
  async function summarizeRest(): Promise<void> {
    if (isSummarizing) return;
    isSummarizing = true;
    const waiting = sorted().filter((entry) => !entry.isSummarized && entry.row.outcome !== "running");
    for (const entry of waiting) {
      if (listeners.size === 0) break;
      entry.isSummarized = true;
      try {
        const summary = await summarizeEvents(entry.session.paths.events);
        if (entries.get(entry.session.id) !== entry) continue;
        entry.row = withSummary(entry.row, summary.read(), summary.spent);
        changed.add(entry.session.id);
        tellSoon(rowMs);
      } catch {
        // Without that file the list shows what the sidecar tells.
      }
    }
    isSummarizing = false;
  }

  function tellSoon(delay: number): void {
    if (changed.size === 0 && removed.size === 0 && !hasNewProblems) return;
    if (delay === 0) tell();
    else telling ??= setTimeout(tell, delay).unref();
  }

  function tell(): void {
    clearTimeout(telling);
    telling = undefined;
    const rows = [...changed].flatMap((id) => entries.get(id)?.row ?? []);
    const change: RunsChange = { changed: rows, removed: [...removed] };
    if (hasNewProblems) change.unreadable = problems();
    changed.clear();
    removed.clear();
    hasNewProblems = false;
    for (const listener of listeners) listener(change);
  }

  function problems(): UnreadableRun[] {
    return Array.from(unreadable.values(), ({ id, message }) => ({ id, message }));
  }

  function sorted(): Entry[] {
    return [...entries.values()].sort((a, b) => (a.row.startedAt < b.row.startedAt ? 1 : -1));
  }

  function startWatching(): void {
    timer = setInterval(() => {
      watchDirectory();
      scan();
    }, scanMs).unref();
    watchDirectory();
    for (const entry of entries.values())
      if (entry.session.outcome === "running" && entry.stop === undefined) void follow(entry);
  }

  /** Makes it quicker than the timer; where it cannot be had, the timer is enough. */
  function watchDirectory(): void {
    if (watcher !== undefined) return;
    try {
      watcher = watch(directory, { persistent: false }, (_event, name) => {
        if (name?.endsWith(".meta.json")) scan();
      });
      watcher.on("error", closeWatcher);
    } catch {
      watcher = undefined;
    }
  }

  function closeWatcher(): void {
    watcher?.close();
    watcher = undefined;
  }

  function stopWatching(): void {
    clearInterval(timer);
    clearTimeout(telling);
    telling = undefined;
    closeWatcher();
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
      return { runs: sorted().map(({ row }) => row), unreadable: problems(), directory };
    },
    row(id) {
      look(id);
      return entries.get(id)?.row;
    },
    watch(listener) {
      listeners.add(listener);
      if (listeners.size === 1) startWatching();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopWatching();
      };
    },
  };
}

function stampOf(directory: string, id: string): string | undefined {
  const stat = lstatSync(`${directory}/${id}.meta.json`, { throwIfNoEntry: false });
  return stat && `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}

const operations: ReadonlySet<string> = new Set(operationTypes);

function isOperation(event: HarnessEvent): event is OperationEvent {
  return operations.has(event.type);
}

function describeActivity(event: HarnessEvent, cwd: string): string | undefined {
  if (isOperation(event)) return describeOperation(event, cwd);
  if (event.type === "tool_start") return event.name;
  if (event.type === "thinking") return "Thinking";
  return event.type === "text" || event.type === "agent" ? "Writing" : undefined;
}
