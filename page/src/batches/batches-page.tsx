import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { BatchRow } from "../../../src/server/batch-protocol.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatCount } from "../../../src/text/numbers.js";
import { go, query, replace } from "../router.js";
import {
  batches,
  batchesDirectory,
  hasBatches,
  unreadableBatches,
  useBatches,
} from "../server/live-batches.js";
import { moveKeys, useKeys } from "../ui/keys.js";
import { type ListHandle, VirtualList } from "../ui/virtual-list.js";
import { BatchListLine } from "./batch-line.js";
import { phaseWords } from "./batch-words.js";

const current = signal<string | undefined>(undefined);

export function BatchesPage() {
  useBatches();
  const list = useRef<ListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const text = query.value.get("q") ?? "";
  const rows = filterBatches(batches.value, text);
  const at = rows.findIndex(({ id }) => id === current.value);

  function move(index: number): void {
    const place = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[place];
    if (row === undefined) return;
    current.value = row.id;
    list.current?.scrollTo(place);
  }

  useKeys({
    ...moveKeys(move, { at, last: rows.length - 1 }),
    Enter: () => current.value !== undefined && go({ page: "batch", id: current.value }),
    "/": () => search.current?.focus(),
    Escape: () => go({ page: "runs" }),
  });

  return (
    <main class="runs-page">
      <h1 class="visually-hidden">Batches</h1>
      <search class="filters">
        <input
          ref={search}
          type="search"
          placeholder="Search batches"
          aria-label="Search batches"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        />
      </search>
      {unreadableBatches.value.length > 0 && (
        <details class="unreadable">
          <summary>
            {unreadableBatches.value.length === 1
              ? "One batch"
              : `${formatCount(unreadableBatches.value.length)} batches`}{" "}
            cannot be read
          </summary>
          <ul>
            {unreadableBatches.value.map(({ id, message }) => (
              <li key={id}>
                {id}: {toVisibleLine(message, 300)}
              </li>
            ))}
          </ul>
        </details>
      )}
      <VirtualList
        rows={rows}
        label="Batches"
        class="runs"
        keyOf={({ id }) => id}
        estimate={() => 68}
        handle={list}
        empty={<Nothing isFiltered={batches.value.length > 0} />}
      >
        {(row) => <BatchListLine row={row} isCurrent={row.id === current.value} />}
      </VirtualList>
    </main>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (!hasBatches.value) return <p class="empty">Loading…</p>;
  if (isFiltered) return <p class="empty">No batch matches.</p>;
  return (
    <div class="empty">
      <h2>No batches yet</h2>
      <p>
        A batch runs agents × tasks × repetitions. Start one in a terminal:{" "}
        <code>harness batch plan.toml</code>
      </p>
      <p class="dim">
        Batches are read from <code>{batchesDirectory.value}</code>
      </p>
    </div>
  );
}

/** Keeps the batches that contain every word. */
function filterBatches(rows: readonly BatchRow[], text: string): readonly BatchRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ id, name, phase }) => {
    const about = `${id}\n${name}\n${phaseWords[phase]}`.toLowerCase();
    return words.every((word) => about.includes(word));
  });
}

/** The address contains the search. */
function setText(text: string): void {
  replace({ page: "batches" }, new URLSearchParams(text === "" ? {} : { q: text }));
}
