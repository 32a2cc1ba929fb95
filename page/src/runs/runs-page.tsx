import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatCount, formatNumberOf } from "../../../src/text/numbers.js";
import { go, query, replace } from "../router.js";
import { directory, hasLoaded, promised, runs, unreadable } from "../server/live-runs.js";
import { moveKeys, useKeys } from "../ui/keys.js";
import { type ListHandle, VirtualList } from "../ui/virtual-list.js";
import { countStates, filterRuns, type RunFilter, stateFilters } from "./filter-runs.js";
import { RunLine } from "./run-line.js";

/** The ids of the runs to compare, in the order in which they were chosen. */
const chosen = signal<readonly string[]>([]);
const current = signal<string | undefined>(undefined);

export function RunsPage() {
  const list = useRef<ListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const filter = readFilter();
  const all = runs.value;
  const rows = filterRuns(all, filter);
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
      {chosen.value.length > 0 && <Choice />}
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

function Filters({ filter, search }: { filter: RunFilter; search: { current: HTMLInputElement | null } }) {
  const ofBatches = promised.value?.ofBatches ?? runs.value.filter(({ batch }) => batch !== undefined).length;
  const counts = countStates(runs.value, { hasBatches: filter.hasBatches, known: promised.value });
  const agents = [
    ...new Set([...(promised.value?.agents ?? []), ...runs.value.map(({ agent }) => agent)]),
  ].sort();
  return (
    <search class="filters">
      <input
        ref={search}
        type="search"
        placeholder="Search prompts, agents, models, folders, failures"
        aria-label="Search runs"
        value={filter.text}
        onInput={({ currentTarget }) => setFilter({ ...filter, text: currentTarget.value })}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      <select
        aria-label="Agent"
        value={filter.agent}
        onChange={({ currentTarget }) => setFilter({ ...filter, agent: currentTarget.value })}
      >
        <option value="">All agents</option>
        {agents.map((agent) => (
          <option key={agent} value={agent}>
            {agent}
          </option>
        ))}
      </select>
      <fieldset class="segments">
        <legend class="visually-hidden">State</legend>
        {stateFilters.map((state) => (
          <button
            key={state}
            type="button"
            aria-pressed={filter.state === state}
            onClick={() => setFilter({ ...filter, state })}
          >
            {state} <small>{counts[state]}</small>
          </button>
        ))}
      </fieldset>
      {(ofBatches > 0 || filter.hasBatches) && (
        <label class="toggle">
          <input
            type="checkbox"
            checked={filter.hasBatches}
            onChange={({ currentTarget }) => setFilter({ ...filter, hasBatches: currentTarget.checked })}
          />
          Runs of batches <small>{formatCount(ofBatches)}</small>
        </label>
      )}
    </search>
  );
}

function Choice() {
  const count = chosen.value.length;
  return (
    <p class="choice" role="status">
      {count === 1 ? "One run chosen; choose another to compare them." : "Two runs chosen."}{" "}
      <button type="button" class="primary" disabled={count < 2} onClick={compareChosen}>
        Compare
      </button>
      <button
        type="button"
        onClick={() => {
          chosen.value = [];
        }}
      >
        Clear
      </button>
    </p>
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

function choose(id: string): void {
  const others = chosen.value.filter((each) => each !== id);
  chosen.value = others.length < chosen.value.length ? others : [...others.slice(-1), id];
}

function compareChosen(): void {
  const [first, second] = chosen.value;
  if (first !== undefined && second !== undefined) go({ page: "compare", ids: [first, second] });
}

function readFilter(): RunFilter {
  const state = query.value.get("state");
  return {
    text: query.value.get("q") ?? "",
    agent: query.value.get("agent") ?? "",
    state: stateFilters.find((each) => each === state) ?? "all",
    hasBatches: query.value.get("batches") === "1",
  };
}

/** The address contains the filters. */
function setFilter({ text, agent, state, hasBatches }: RunFilter): void {
  const parameters = new URLSearchParams();
  if (text !== "") parameters.set("q", text);
  if (agent !== "") parameters.set("agent", agent);
  if (state !== "all") parameters.set("state", state);
  if (hasBatches) parameters.set("batches", "1");
  replace({ page: "runs" }, parameters);
}
