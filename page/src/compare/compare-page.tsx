import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { createTimeAxis } from "../../../src/outputs/html/charts/time-axis.js";
import { renderTimeChart } from "../../../src/outputs/html/charts/time-chart.js";
import { hasFailed } from "../../../src/story/outcomes.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { findImported } from "../import/imported.js";
import { openRecorded, type RunSource } from "../model/run-source.js";
import { go, toHash } from "../router.js";
import { AgentText } from "../run/agent-text.js";
import { commandsOf, exitOf } from "../run/commands.js";
import { createViewState, type ViewState, watchRun } from "../run/view-state.js";
import { now } from "../ui/clock.js";
import { Html } from "../ui/html.js";
import { useKeys } from "../ui/keys.js";
import { OutcomeBadge } from "../ui/outcome.js";
import { type Compared, compareNumbers, type Measured } from "./compare-numbers.js";
import { ComparedChanges } from "./compared-changes.js";
import { ComparedTable } from "./compared-table.js";

/** Runs side by side, for example of the same task with several agents. */
export function ComparePage({ ids }: { ids: readonly string[] }) {
  const views = useMemo(() => ids.map((id) => createViewState(open(id))), [ids.join(" ")]);
  useEffect(
    () => () => {
      for (const { source } of views) source.close();
    },
    [views],
  );
  useKeys({ Escape: () => go({ page: "runs" }) });
  for (const { source } of views) source.model.version.value;
  const refused = views.find(({ source }) => source.state.value === "refused");
  if (refused !== undefined) return <main class="empty">{refused.source.problem.value}</main>;
  return (
    <main class="compare">
      <h1>{countWords[views.length] ?? views.length} runs compared</h1>
      <Sides label="Runs" areHeads>
        {views.map((view) => (
          <Head key={keyOf(view, views)} view={view} />
        ))}
      </Sides>
      <Numbers names={views.map(nameOf)} rows={compareNumbers(views.map(measure))} />
      <h2>Answers</h2>
      <Sides label="Answers">
        {views.map((view) => (
          <section key={keyOf(view, views)} class="said">
            <h3>{nameOf(view)}</h3>
            <AgentText text={view.source.model.summary().text ?? "No answer."} />
          </section>
        ))}
      </Sides>
      <h2>Changes</h2>
      <ComparedChanges views={views} names={views.map(nameOf)} />
      <h2>Over time</h2>
      <Sides label="Over time">
        {views.map((view) => (
          <Chart key={keyOf(view, views)} view={view} longest={longestOf(views)} />
        ))}
      </Sides>
      <h2>Commands</h2>
      <Sides label="Commands">
        {views.map((view) => (
          <CommandList key={keyOf(view, views)} view={view} />
        ))}
      </Sides>
    </main>
  );
}

const countWords: Record<number, string> = { 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six" };

/** The same run may be there twice. */
function keyOf(view: ViewState, views: readonly ViewState[]): string {
  return `${views.indexOf(view)} ${view.source.id}`;
}

interface SidesProps {
  label: string;
  /** They are above the table of figures, in line with its columns. */
  areHeads?: boolean;
  children: ComponentChildren[];
}

/** A column for each run. Many of them scroll sideways, together with their heading. */
function Sides({ label, areHeads, children }: SidesProps) {
  return (
    <section
      class="table-scroll"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <div class={areHeads ? "sides heads" : "sides"} data-count={children.length}>
        {children}
      </div>
    </section>
  );
}

function open(id: string): RunSource {
  return findImported(id) ?? openRecorded(id);
}

function measure({ source, changes }: ViewState): Measured {
  return {
    row: source.about.value?.row,
    summary: source.model.summary(),
    spent: source.model.spent,
    changed: changes.value,
    now: now.value,
  };
}

function longestOf(views: readonly ViewState[]): number {
  return Math.max(...views.map(({ source }) => source.model.timeline.duration));
}

function Head({ view }: { view: ViewState }) {
  const { id, about } = view.source;
  const row = about.value?.row;
  if (row === undefined) return <section>Loading…</section>;
  return (
    <section class="side-head">
      <p class="facts">
        <OutcomeBadge outcome={row.outcome} />
        <b>{row.agent}</b>
        <span>{toVisibleLine(row.model ?? "", 60)}</span>
      </p>
      <h2 dir="auto">
        <a href={toHash({ page: "run", id, tab: "timeline" })}>{row.prompt || id}</a>
      </h2>
      {row.failure !== undefined && <p class="failure">{toVisibleLine(row.failure.message, 240)}</p>}
    </section>
  );
}

function nameOf({ source }: ViewState): string {
  return source.about.value?.row.agent ?? source.id;
}

function Numbers({ names, rows }: { names: readonly string[]; rows: readonly Compared[] }) {
  return (
    <ComparedTable label="Numbers" names={names}>
      {rows.map(({ label, values }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {values.map(({ words, difference }, index) => (
            <td key={index}>
              {words}{" "}
              {difference !== "" && (
                <small class="difference" title={`compared with ${names[0]}`}>
                  {difference}
                </small>
              )}
            </td>
          ))}
        </tr>
      ))}
    </ComparedTable>
  );
}

function Chart({ view, longest }: { view: ViewState; longest: number }) {
  watchRun(view);
  const { items } = view.source.model.timeline;
  const markup = renderTimeChart(items, createTimeAxis(longest), view.cwd.value);
  return (
    <figure>
      <h3>{nameOf(view)}</h3>
      {items.some(({ kind }) => kind === "call") ? (
        <Html markup={markup} onClick={(event) => event.preventDefault()} />
      ) : (
        <p class="dim">No tool was called.</p>
      )}
    </figure>
  );
}

function CommandList({ view }: { view: ViewState }) {
  watchRun(view);
  const { source } = view;
  const commands = commandsOf(source.model.timeline.items);
  return (
    <section>
      <h3>{nameOf(view)}</h3>
      {commands.length === 0 && <p class="dim">No command was run.</p>}
      <ol class="command-list">
        {commands.slice(0, 300).map(({ seq, event }) => (
          <li key={event.seq} class={hasFailed(event) ? "failed" : ""}>
            <span class="exit-code">{exitOf(event)}</span>{" "}
            <a href={toHash({ page: "run", id: source.id, tab: "timeline", event: seq })}>
              <code dir="auto">{toVisibleLine(event.command, 160)}</code>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
