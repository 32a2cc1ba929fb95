import { computed, signal } from "@preact/signals";
import type {
  MoreRuns,
  RunList,
  RunRow,
  RunsChange,
  UnreadableRun,
  WaitingRequests,
} from "../../../src/server/protocol.js";
import { getJson } from "./api.js";
import { openStream } from "./stream.js";

const rows = new Map<string, RunRow>();
export const unreadable = signal<readonly UnreadableRun[]>([]);
export const directory = signal("");
export const hasLoaded = signal(false);

/** The runs that the server has sent so far, newest first. */
export const runs = signal<readonly RunRow[]>([]);

/** How often a page in the background asks whether somebody waits for it. */
const askMs = 5000;
const waitingMeanwhile = signal<number | undefined>(undefined);

/** How many requests of live sessions wait for an answer. */
export const waiting = computed(
  () => waitingMeanwhile.value ?? runs.value.reduce((sum, { requests = 0 }) => sum + requests, 0),
);

/** A page in the background closes its streams, but its title must still say that somebody waits. */
function watchWaiting(): void {
  setInterval(() => {
    if (!document.hidden) return;
    getJson<WaitingRequests>("/api/waiting").then(
      (answer) => {
        if (document.hidden) waitingMeanwhile.value = answer.waiting;
      },
      () => undefined,
    );
  }, askMs);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) waitingMeanwhile.value = undefined;
  });
}

/** The server's counts of all runs. Undefined as soon as all runs have come. */
export const promised = signal<Pick<RunList, "total" | "outcomes" | "agents" | "ofBatches"> | undefined>(
  undefined,
);

export function findRow(id: string): RunRow | undefined {
  // Reading the signal subscribes the component, which the map cannot do.
  return runs.value.length === 0 ? undefined : rows.get(id);
}

/** Keeps the list up to date as long as the page is open. */
export function watchRuns(): void {
  watchWaiting();
  openStream<{ list: RunList; more: MoreRuns; change: RunsChange }>("/api/live", {
    list(list) {
      rows.clear();
      for (const row of list.runs) rows.set(row.id, row);
      const { total, outcomes, agents, ofBatches } = list;
      promised.value = total > list.runs.length ? { total, outcomes, agents, ofBatches } : undefined;
      runs.value = sorted();
      unreadable.value = list.unreadable;
      directory.value = list.directory;
      hasLoaded.value = true;
    },
    more(more) {
      const added = more.runs.filter(({ id }) => !rows.has(id));
      for (const row of added) rows.set(row.id, row);
      // They are older than all others, so nothing needs sorting.
      runs.value = [...runs.value, ...added];
      if (!more.isAll) return;
      runs.value = sorted();
      promised.value = undefined;
    },
    change(change) {
      for (const row of change.changed) rows.set(row.id, row);
      for (const id of change.removed) rows.delete(id);
      runs.value = sorted();
      if (change.unreadable !== undefined) unreadable.value = change.unreadable;
    },
  });
}

function sorted(): RunRow[] {
  return [...rows.values()].sort((a, b) =>
    a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0,
  );
}
