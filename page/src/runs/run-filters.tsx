import { toVisibleLine } from "../../../src/text/cut.js";
import { formatCount } from "../../../src/text/numbers.js";
import { promised, runs } from "../server/live-runs.js";
import { setFilter } from "./filter-address.js";
import {
  countStates,
  noFilter,
  type Period,
  periods,
  type RunFilter,
  type Sort,
  sorts,
  stateFilters,
} from "./filter-runs.js";
import { lastParts } from "./run-line.js";

const periodWords: Record<Period, string> = {
  any: "Any time",
  today: "Today",
  week: "Last 7 days",
  month: "Last 30 days",
  range: "From … to …",
};

const sortWords: Record<Sort, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  longest: "Longest first",
  costliest: "Most expensive first",
  tokens: "Most tokens first",
};

interface FiltersProps {
  filter: RunFilter;
  search: { current: HTMLInputElement | null };
}

export function Filters({ filter, search }: FiltersProps) {
  const ofBatches = promised.value?.ofBatches ?? runs.value.filter(({ batch }) => batch !== undefined).length;
  const set = (change: Partial<RunFilter>): void => setFilter({ ...filter, ...change });
  return (
    <search class="filters">
      <input
        ref={search}
        type="search"
        placeholder="Search prompts, agents, models, folders, failures"
        aria-label="Search runs"
        value={filter.text}
        onInput={({ currentTarget }) => set({ text: currentTarget.value })}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      <States filter={filter} />
      <div class="more-filters">
        <Chosen
          label="Agent"
          all="All agents"
          value={filter.agent}
          values={agentsOf()}
          onChoose={(agent) => set({ agent })}
        />
        <Chosen
          label="Model"
          all="All models"
          value={filter.model}
          values={distinct(runs.value.map(({ model = "" }) => model))}
          onChoose={(model) => set({ model })}
        />
        <Chosen
          label="Directory"
          all="All directories"
          value={filter.directory}
          values={distinct(runs.value.map(({ cwd }) => cwd))}
          words={lastParts}
          onChoose={(directory) => set({ directory })}
        />
        <Named
          label="Time"
          value={filter.period}
          values={periods}
          words={periodWords}
          onChoose={(period) => set({ period })}
        />
        {filter.period === "range" && (
          <>
            <DayField label="From" value={filter.from} onDay={(from) => set({ from })} />
            <DayField label="To" value={filter.to} onDay={(to) => set({ to })} />
          </>
        )}
        <Named
          label="Order"
          value={filter.sort}
          values={sorts}
          words={sortWords}
          onChoose={(sort) => set({ sort })}
        />
        {(ofBatches > 0 || filter.hasBatches) && (
          <label class="toggle">
            <input
              type="checkbox"
              checked={filter.hasBatches}
              onChange={({ currentTarget }) => set({ hasBatches: currentTarget.checked })}
            />
            Runs of batches <small>{formatCount(ofBatches)}</small>
          </label>
        )}
        {isFiltered(filter) && (
          <button type="button" class="quiet" onClick={() => setFilter({ ...noFilter, sort: filter.sort })}>
            Clear filters
          </button>
        )}
      </div>
    </search>
  );
}

function States({ filter }: { filter: RunFilter }) {
  const counts = countStates(runs.value, { hasBatches: filter.hasBatches, known: promised.value });
  return (
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
  );
}

interface ChosenProps {
  label: string;
  /** The words for no choice. */
  all: string;
  value: string;
  values: readonly string[];
  words?(value: string): string;
  onChoose(value: string): void;
}

/** One of the values that the runs have. One that no run has any more stays until it is changed. */
function Chosen({ label, all, value, values, words = (each) => each, onChoose }: ChosenProps) {
  const listed = value === "" || values.includes(value) ? values : [value, ...values];
  if (listed.length < 2 && value === "") return null;
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      <option value="">{all}</option>
      {listed.map((each) => (
        <option key={each} value={each}>
          {toVisibleLine(words(each), 60)}
        </option>
      ))}
    </select>
  );
}

interface NamedProps<T extends string> {
  label: string;
  value: T;
  values: readonly T[];
  words: Readonly<Record<T, string>>;
  onChoose(value: T): void;
}

function Named<T extends string>({ label, value, values, words, onChoose }: NamedProps<T>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = values.find((each) => each === currentTarget.value);
        if (chosen !== undefined) onChoose(chosen);
      }}
    >
      {values.map((each) => (
        <option key={each} value={each}>
          {words[each]}
        </option>
      ))}
    </select>
  );
}

function DayField({ label, value, onDay }: { label: string; value: string; onDay(day: string): void }) {
  return (
    <label class="day">
      {label} <input type="date" value={value} onChange={({ currentTarget }) => onDay(currentTarget.value)} />
    </label>
  );
}

function isFiltered(filter: RunFilter): boolean {
  const { text, agent, model, directory, period, state } = filter;
  return [text, agent, model, directory].some((each) => each !== "") || period !== "any" || state !== "all";
}

function agentsOf(): string[] {
  return distinct([...(promised.value?.agents ?? []), ...runs.value.map(({ agent }) => agent)]);
}

/** Sorted, each once. */
function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].filter((each) => each !== "").sort();
}
