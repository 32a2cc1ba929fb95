import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { formatShare } from "../../../src/batch/report/words.js";
import type { BatchAbout, BatchRow, BatchRowMessage } from "../../../src/server/batch-protocol.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatCount, formatDuration, formatNumberOf, formatUsd } from "../../../src/text/numbers.js";
import { BatchProgressBar } from "../batches/batch-line.js";
import {
  countCells,
  countDone,
  countMissing,
  describeShape,
  passRate,
  phaseSigns,
  phaseWords,
} from "../batches/batch-words.js";
import { go, replace, route } from "../router.js";
import { now, toMoment } from "../ui/clock.js";
import { copy } from "../ui/copy.js";
import { useKeys } from "../ui/keys.js";
import { Arms, Findings } from "./arms.js";
import { openBatch } from "./batch-source.js";
import { CellGrid, Legend } from "./cell-grid.js";
import { CellPanel } from "./cell-panel.js";
import { Workers } from "./workers.js";

export function BatchPage({ id }: { id: string }) {
  const source = useMemo(() => openBatch(id), [id]);
  useEffect(() => source.close, [source]);
  const place = route.value;
  const linked = place.page === "batch" ? place.cell : undefined;
  const current = useSignal(linked);
  useEffect(() => {
    if (linked !== undefined) current.value = linked;
  }, [linked, current]);
  useKeys({ Escape: () => go({ page: "batches" }) });
  const about = source.about.value;
  if (source.problem.value !== "")
    return (
      <main class="empty">
        <h1>This batch cannot be shown</h1>
        <p>{toVisibleLine(source.problem.value, 400)}</p>
        <p>
          <a href="#/batches">Back to the batches</a>
        </p>
      </main>
    );
  if (about === undefined) return <main class="empty">Loading…</main>;
  const report = source.report.value;
  const row = source.status.value?.row ?? about.row;
  const latest = { ...about, row };
  const cell = current.value === undefined ? undefined : source.cells.value.table.get(current.value);
  const choose = (chosen: string): void => {
    current.value = chosen;
    replace({ page: "batch", id, cell: chosen });
  };
  return (
    <main class="batch-page">
      <Head about={latest} status={source.status.value} />
      <section class="batch-part">
        <h2 class="visually-hidden">Cells</h2>
        <Legend row={row} />
        <div class="grid-and-cell">
          <CellGrid source={source} about={latest} current={current} onChoose={choose} />
          <CellPanel batchId={id} about={latest} cell={cell} />
          <div class="below-grid">
            {report !== undefined && <Arms report={report} about={about} />}
            {report !== undefined && <Findings report={report} />}
            <Workers source={source} about={about} />
          </div>
        </div>
      </section>
    </main>
  );
}

function Head({ about, status }: { about: BatchAbout; status: BatchRowMessage | undefined }) {
  const { row } = about;
  return (
    <header class="run-head batch-head">
      <p class="facts">
        <span class={`badge ${phaseSigns[row.phase]}`}>{phaseWords[row.phase]}</span>
        <span>{describeShape(row)}</span>
        <span>{about.isolated ? "isolated" : "not isolated"}</span>
        <time dateTime={row.startedAt}>{toMoment(row.startedAt)}</time>
        <a href="#/batches">All batches</a>
      </p>
      <h1 dir="auto">{row.name || row.id}</h1>
      <Resume row={row} />
      {status?.stopped.map(({ agent, message }) => (
        <p key={agent} class="note">
          {toVisibleLine(agent, 60)} was stopped, because its first cells all failed:{" "}
          {toVisibleLine(message, 300)}
        </p>
      ))}
      {status !== undefined && status.problems.length > 0 && (
        <details class="unreadable">
          <summary>{formatNumberOf(status.problems.length, "problem")} in the ledger</summary>
          <ul>
            {status.problems.map((problem) => (
              <li key={problem}>{toVisibleLine(problem, 300)}</li>
            ))}
          </ul>
        </details>
      )}
      <BatchProgressBar row={row} />
      <Tiles row={row} concurrency={about.concurrency} />
    </header>
  );
}

/** How to run what is missing. */
function Resume({ row }: { row: BatchRow }) {
  const missing = countMissing(row);
  if (missing === 0) return null;
  const command = `harness batch resume ${row.id}`;
  return (
    <p class="note resume">
      {missing === 1 ? "One cell has" : `${formatCount(missing)} cells have`} no result. To run{" "}
      {missing === 1 ? "it" : "them"}: <code>{toVisibleLine(command, 120)}</code>{" "}
      <button type="button" class="quiet" onClick={() => void copy(command, "Command")}>
        Copy
      </button>
    </p>
  );
}

function Tiles({ row, concurrency }: { row: BatchRow; concurrency: number }) {
  const { startedAt, endedAt, counts, costUsd, budgetUsd } = row;
  const rate = passRate(row);
  const end = endedAt === undefined ? now.value : Date.parse(endedAt);
  const tiles: [label: string, value: string, note?: string][] = [
    ["Done", formatCount(countDone(row)), `of ${formatCount(countCells(row))}`],
    ...(row.phase === "running"
      ? [
          ["Running", formatCount(counts.running), `of ${formatCount(concurrency)} at once`] as [
            string,
            string,
            string,
          ],
        ]
      : []),
    ["Passed", rate === undefined ? "–" : formatShare(rate), `${formatCount(counts.passed)} cells`],
    ["Cost", formatUsd(costUsd), budgetUsd === undefined ? "" : `of ${formatUsd(budgetUsd)}`],
    ["Duration", formatDuration(end - Date.parse(startedAt))],
  ];
  return (
    <dl class="tiles">
      {tiles.map(([label, value, note = ""]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value} {note !== "" && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
