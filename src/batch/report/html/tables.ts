import { html, type Markup, type Value } from "../../../outputs/html/markup.js";
import { toVisibleLine } from "../../../text/cut.js";
import { formatCount, formatDuration, formatShortCount } from "../../../text/numbers.js";
import type { BatchReport, Figures, ReportCell, Spread } from "../schema.js";
import {
  type CellMark,
  cellsByGroup,
  commonKs,
  describeChances,
  describeCost,
  formatInterval,
  formatKinds,
  formatShare,
  formatTypicalCost,
  groupKey,
  markOfCell,
  markSigns,
  nameOfCell,
} from "../words.js";

const nameLength = 60;

interface Table {
  /** For those who do not see it. */
  label: string;
  titles: readonly Value[];
  rows: readonly (readonly Value[])[];
  className?: string;
}

/** Columns without any value are left out. */
function table({ label, titles, rows, className = "" }: Table): Markup {
  const isUsed = (_value: Value, at: number): boolean => at === 0 || rows.some((row) => Boolean(row[at]));
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="${label}">
      <table class="${className}">
        <thead><tr>${titles.filter(isUsed).map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => renderRow(row.filter(isUsed)))}</tbody>
      </table>
    </div>`;
}

function renderRow([name, ...values]: readonly Value[]): Markup {
  return html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>`;
}

/** Every figure of every arm. Small: the quartiles. */
export function renderArms({ arms }: BatchReport): Markup {
  const titles = [
    "Arm",
    "passed",
    "interval",
    "errors",
    "cost",
    "time",
    "tokens",
    "turns",
    "commands",
    "files",
    "retries",
  ];
  const rows = arms.map(({ armId, agent, model, figures }): Value[] => [
    html`${toVisibleLine(armId, nameLength)}<small>${toVisibleLine([agent, model ?? ""].join(" "), nameLength)}</small>`,
    figures.passRate !== undefined &&
      html`${formatShare(figures.passRate.rate)}<small>${figures.passRate.passed} of ${figures.passRate.of}</small>`,
    figures.passRate === undefined ? "no result" : formatInterval(figures.passRate),
    errorsOf(figures),
    figures.costUsd !== undefined &&
      spread(figures.costUsd, formatTypicalCost, describeCost(figures.costUsd)),
    spread(figures.durationMs, formatDuration),
    spread(figures.tokens, (tokens) => formatShortCount(Math.round(tokens))),
    spread(figures.turns, tenths),
    html`${formatCount(figures.commands.run)}${figures.commands.failed > 0 && html`<small>${formatCount(figures.commands.failed)} failed</small>`}`,
    spread(figures.changes?.files, tenths),
    formatCount(figures.retries.attempts),
  ]);
  return html`
    <section>
      <h2>Arms</h2>
      ${table({ label: "Figures of the arms", titles, rows })}
      <p class="nothing">Cost, time, tokens, turns and files: the median of a run, and its quartiles below. ~: estimated.</p>
    </section>`;
}

function errorsOf({ errors, setupFailures }: Figures): Value {
  if (errors === 0) return "0";
  return html`${formatCount(errors)}${setupFailures > 0 && html`<small>${formatCount(setupFailures)} in setup</small>`}`;
}

function tenths(value: number): string {
  return String(Number(value.toFixed(1)));
}

function spread(given: Spread | undefined, format: (value: number) => string, median?: string): Value {
  if (given === undefined) return undefined;
  const { lowerQuartile, upperQuartile } = given;
  return html`${median ?? format(given.median)}<small>${format(lowerQuartile)} to ${format(upperQuartile)}</small>`;
}

/** Tasks down, arms across, a square for each run. */
export function renderGrid(report: BatchReport): Markup {
  const { tasks, arms, groups, cells } = report;
  const numbers = new Map(cells.map(({ cellId }, index) => [cellId, index]));
  const cellsOf = cellsByGroup(report);
  const rates = new Map(groups.map((group) => [groupKey(group), group.figures.passRate]));
  const rows = tasks.map(({ taskId }) => [
    toVisibleLine(taskId, nameLength),
    ...arms.map(({ armId }) => {
      const key = groupKey({ taskId, armId });
      const rate = rates.get(key);
      const squares = cellsOf.get(key)?.map((cell) => renderSquare(cell, numbers.get(cell.cellId) ?? 0));
      return html`
        <div class="squares">${squares}</div>
        <small>${rate === undefined ? "no result" : `${formatShare(rate.rate)} (${formatInterval(rate)})`}</small>`;
    }),
  ]);
  return html`
    <section>
      <h2>Tasks and arms</h2>
      ${table({ label: "Runs by task and arm", titles: ["Task", ...arms.map(({ armId }) => toVisibleLine(armId, nameLength))], rows, className: "grid" })}
      ${renderMarks(cells)}
    </section>`;
}

function renderSquare(cell: ReportCell, number: number): Markup {
  const mark = markOfCell(cell);
  const words = `${nameOfCell(cell)}: ${mark}`;
  return html`<a class="square ${mark}" href="#r${number}" aria-label="${words}" title="${words}">${markSigns[mark]}</a>`;
}

function renderMarks(cells: BatchReport["cells"]): Markup {
  const used = new Set(cells.map(markOfCell));
  const shown = (Object.keys(markSigns) as CellMark[]).filter((mark) => used.has(mark));
  return html`
    <ul class="marks">${shown.map((mark) => html`<li><span class="mark ${mark}" aria-hidden="true">${markSigns[mark]}</span>${mark}</li>`)}</ul>`;
}

/** What the repetitions say about k runs, why cells did not pass, and whether agents know it. */
export function renderDetails(report: BatchReport): Markup {
  const { arms, total } = report;
  const { agreement } = total;
  const ks = commonKs(report);
  const failing = arms.filter(({ figures }) => figures.failures.length > 0);
  const chances: Table = {
    label: "Of k runs",
    titles: ["Arm", ...ks.map((k) => `k = ${k}`)],
    rows: arms.map(({ armId, figures }) => [
      toVisibleLine(armId, nameLength),
      ...describeChances(figures, ks),
    ]),
  };
  const reasons: Table = {
    label: "Why cells did not pass",
    titles: ["Arm", "Reasons"],
    rows: failing.map(({ armId, figures }) => [
      toVisibleLine(armId, nameLength),
      formatKinds(figures.failures),
    ]),
    className: "words",
  };
  return html`
    ${
      ks.length > 1 &&
      html`
        <section>
          <h2>Of k runs</h2>
          ${table(chances)}
          <p class="nothing">The chance that at least one of k runs passes (pass@k) / that all of them pass (pass^k).</p>
        </section>`
    }
    ${failing.length > 0 && html`<section><h2>Why cells did not pass</h2>${table(reasons)}</section>`}
    ${agreement !== undefined && renderAgreement(agreement)}`;
}

function renderAgreement({ agentSucceeded, agentFailed }: NonNullable<Figures["agreement"]>): Markup {
  const counts = ({ passed, failed }: typeof agentFailed): string[] => [
    formatCount(passed),
    formatCount(failed),
  ];
  const rows = [
    ["succeeded", ...counts(agentSucceeded)],
    ["failed", ...counts(agentFailed)],
  ];
  const titles = ["Agent", "check passed", "check failed"];
  return html`
    <section>
      <h2>What the agent says, and what the check says</h2>
      ${table({ label: "Agent and check", titles, rows })}
    </section>`;
}
