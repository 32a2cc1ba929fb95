import { useEffect, useMemo } from "preact/hooks";
import { createTimeAxis } from "../../../src/outputs/html/charts/time-axis.js";
import { renderTimeChart } from "../../../src/outputs/html/charts/time-chart.js";
import { hasFailed } from "../../../src/story/outcomes.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { relativeTo } from "../../../src/text/paths.js";
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
import { compareNumbers, type Measured } from "./compare-numbers.js";

/** Two runs side by side, for example of the same task with two agents. */
export function ComparePage({ ids }: { ids: [string, string] }) {
  const [firstId, secondId] = ids;
  const views = useMemo(
    () => [firstId, secondId].map((id) => createViewState(open(id))),
    [firstId, secondId],
  );
  useEffect(
    () => () => {
      for (const { source } of views) source.close();
    },
    [views],
  );
  useKeys({ Escape: () => go({ page: "runs" }) });
  for (const { source } of views) source.model.version.value;
  const [first, second] = views;
  if (first === undefined || second === undefined) return null;
  const refused = views.find(({ source }) => source.state.value === "refused");
  if (refused !== undefined) return <main class="empty">{refused.source.problem.value}</main>;
  return (
    <main class="compare">
      <h1>Two runs compared</h1>
      <div class="sides">
        {views.map((view) => (
          <Head key={view.source.id} view={view} />
        ))}
      </div>
      <Numbers names={views.map(nameOf)} rows={compareNumbers(measure(first), measure(second))} />
      <h2>Over time</h2>
      <div class="sides">
        {views.map((view) => (
          <Chart key={view.source.id} view={view} longest={longestOf(views)} />
        ))}
      </div>
      <h2>Files</h2>
      <Files first={first} second={second} />
      <h2>Commands</h2>
      <div class="sides">
        {views.map((view) => (
          <CommandList key={view.source.id} view={view} />
        ))}
      </div>
      <h2>Answers</h2>
      <div class="sides">
        {views.map((view) => (
          <section key={view.source.id} class="said">
            <h3>{nameOf(view)}</h3>
            <AgentText text={view.source.model.summary().text ?? "No answer."} />
          </section>
        ))}
      </div>
    </main>
  );
}

function open(id: string): RunSource {
  return findImported(id) ?? openRecorded(id);
}

function measure({ source }: ViewState): Measured {
  return {
    row: source.about.value?.row,
    summary: source.model.summary(),
    spent: source.model.spent,
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

function Numbers({ names, rows }: { names: readonly string[]; rows: ReturnType<typeof compareNumbers> }) {
  return (
    <table class="numbers-table">
      <thead>
        <tr>
          <td />
          {names.map((name, index) => (
            <th key={`${index} ${name}`} scope="col">
              {name}
            </th>
          ))}
          <th scope="col" class="difference">
            Difference
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, first, second, difference }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{first}</td>
            <td>{second}</td>
            <td class="difference">{difference}</td>
          </tr>
        ))}
      </tbody>
    </table>
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

function Files({ first, second }: { first: ViewState; second: ViewState }) {
  watchRun(first);
  watchRun(second);
  const sides = [first, second].map(({ source, cwd }) => {
    const { filesRead, filesWritten } = source.model.summary();
    const touched = new Map<string, string>();
    for (const { path } of filesRead) touched.set(relativeTo(path, cwd.value), "read");
    for (const { path } of filesWritten)
      touched.set(
        relativeTo(path, cwd.value),
        touched.has(relativeTo(path, cwd.value)) ? "read, written" : "written",
      );
    return touched;
  });
  const paths = [...new Set(sides.flatMap((side) => [...side.keys()]))].sort();
  if (paths.length === 0) return <p class="dim">Neither touched a file.</p>;
  return (
    <section
      class="table-scroll"
      aria-label="Files"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table class="numbers-table files-table">
        <thead>
          <tr>
            <td />
            {[first, second].map((view, index) => (
              <th key={index} scope="col">
                {nameOf(view)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {paths.slice(0, 500).map((path) => (
            <tr key={path}>
              <th scope="row">
                <code>{toVisibleLine(path, 160)}</code>
              </th>
              {sides.map((side, index) => (
                <td key={index} class={side.get(path)?.includes("written") ? "written" : ""}>
                  {side.get(path) ?? "–"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
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
