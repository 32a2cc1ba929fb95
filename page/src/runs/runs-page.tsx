import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatNumberOf } from "../../../src/text/numbers.js";
import { go } from "../router.js";
import { directory, hasLoaded, promised, runs, unreadable } from "../server/live-runs.js";
import { now } from "../ui/clock.js";
import { moveKeys, useKeys } from "../ui/keys.js";
import { type ListHandle, VirtualList } from "../ui/virtual-list.js";
import { ChosenBar, choose, chosen, compareChosen } from "./chosen-bar.js";
import { readFilter } from "./filter-address.js";
import { filterRuns } from "./filter-runs.js";
import { Filters } from "./run-filters.js";
import { RunLine } from "./run-line.js";
import { Totals } from "./run-totals.js";

const current = signal<string | undefined>(undefined);

export function RunsPage() {
  const list = useRef<ListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const filter = readFilter();
  const all = runs.value;
  const rows = filterRuns(all, filter, now.peek());
  const at = rows.findIndex(({ id }) => id === current.value);

  function move(index: number): void {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined) return;
    current.value = row.id;
    list.current?.scrollTo(rows.indexOf(row));
  }

  useKeys({
    ...moveKeys(move, { at, last: rows.length - 1 }),
    Enter: () => openCurrent(),
    x: () => current.value !== undefined && choose(current.value),
    c: compareChosen,
    "/": () => search.current?.focus(),
    Escape: () => {
      chosen.value = [];
    },
  });

  function openCurrent(): void {
    if (current.value !== undefined) go({ page: "run", id: current.value, tab: "timeline" });
  }

  return (
    <main class="runs-page">
      <h1 class="visually-hidden">Runs</h1>
      <Filters filter={filter} search={search} />
      {chosen.value.length > 0 && <ChosenBar rows={rows} />}
      {rows.length > 0 && <Totals rows={rows} now={now.peek()} isPart={promised.value !== undefined} />}
      {unreadable.value.length > 0 && (
        <details class="unreadable">
          <summary>{formatNumberOf(unreadable.value.length, "recording")} cannot be read</summary>
          <ul>
            {unreadable.value.map(({ id, message }) => (
              <li key={id}>{message}</li>
            ))}
          </ul>
        </details>
      )}
      <VirtualList
        rows={rows}
        label="Runs"
        class="runs"
        keyOf={({ id }) => id}
        estimate={() => 58}
        handle={list}
        empty={
          <Nothing hasRuns={all.some(({ batch }) => batch === undefined)} isOnlyBatches={all.length > 0} />
        }
      >
        {(row) => (
          <RunLine
            row={row}
            isCurrent={row.id === current.value}
            isChosen={chosen.value.includes(row.id)}
            onChoose={() => choose(row.id)}
          />
        )}
      </VirtualList>
    </main>
  );
}

function Nothing({ hasRuns, isOnlyBatches }: { hasRuns: boolean; isOnlyBatches: boolean }) {
  if (!hasLoaded.value) return <p class="empty">Loading…</p>;
  if (hasRuns) return <p class="empty">No run matches.</p>;
  if (isOnlyBatches)
    return (
      <p class="empty">
        All runs here are runs of batches. They are in the grids of their <a href="#/batches">batches</a>.
      </p>
    );
  return (
    <div class="empty">
      <h2>No runs yet</h2>
      <p>
        Start one here, or in a terminal: <code>harness run -a claude -p "Fix the failing test"</code>
      </p>
      <p>It appears here by itself. You can also drop an agent’s log on this page.</p>
      <p class="dim">
        Recordings are read from <code>{directory.value}</code>
      </p>
    </div>
  );
}
