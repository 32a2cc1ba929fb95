import { html, type Markup, type Value } from "../../../outputs/html/markup.js";
import { toVisibleLine } from "../../../text/cut.js";
import { formatCount, formatDuration, formatShortCount } from "../../../text/numbers.js";
import type { BatchReport, Figures, Spread } from "../schema.js";
import {
  type CellMark,
  describeCost,
  formatInterval,
  formatKinds,
  formatShare,
  formatTypicalCost,
  markOfCell,
  markSigns,
  nameOfCell,
} from "../words.js";

const nameLength = 60;

function table(titles: readonly Value[], rows: readonly (readonly Value[])[], className = ""): Markup {
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Table">
      <table class="${className}">
        <thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
        <tbody>${rows.map(
          ([name, ...values]) =>
            html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>`,
        )}</tbody>
      </table>
    </div>`;
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
    figures.retries.attempts > 0 && formatCount(figures.retries.attempts),
  ]);
  return html`
    <section>
      <h2>Arms</h2>
      ${table(titles, rows)}
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
export function renderGrid({ tasks, arms, groups, cells }: BatchReport): Markup {
  const squares = new Map<string, Markup[]>();
  for (const [index, cell] of cells.entries()) {
    const key = `${cell.taskId}\n${cell.armId}`;
    const mark = markOfCell(cell);
    const square = html`<a class="square ${mark}" href="#r${index}" aria-label="${nameOfCell(cell)}: ${mark}" title="${nameOfCell(cell)}: ${mark}">${markSigns[mark]}</a>`;
    const own = squares.get(key);
    if (own === undefined) squares.set(key, [square]);
    else own.push(square);
  }
  const rates = new Map(
    groups.map(({ taskId, armId, figures }) => [`${taskId}\n${armId}`, figures.passRate]),
  );
  const rows = tasks.map(({ taskId }) => [
    toVisibleLine(taskId, nameLength),
    ...arms.map(({ armId }) => {
      const rate = rates.get(`${taskId}\n${armId}`);
      return html`
        <div class="squares">${squares.get(`${taskId}\n${armId}`)}</div>
        <small>${rate === undefined ? "no result" : `${formatShare(rate.rate)} (${formatInterval(rate)})`}</small>`;
    }),
  ]);
  return html`
    <section>
      <h2>Tasks and arms</h2>
      ${table(["Task", ...arms.map(({ armId }) => toVisibleLine(armId, nameLength))], rows, "grid")}
      ${renderMarks(cells)}
    </section>`;
}

function renderMarks(cells: BatchReport["cells"]): Markup {
  const used = new Set(cells.map(markOfCell));
  const shown = (Object.keys(markSigns) as CellMark[]).filter((mark) => used.has(mark));
  return html`
    <ul class="marks">${shown.map((mark) => html`<li><span class="mark ${mark}" aria-hidden="true">${markSigns[mark]}</span>${mark}</li>`)}</ul>`;
}

/** What the repetitions say about k runs, why cells did not pass, and whether agents know it. */
export function renderDetails({ arms, total: { agreement } }: BatchReport): Markup {
  const ks = (arms[0]?.figures.passAtK ?? [])
    .map(({ k }) => k)
    .filter((k) => arms.every(({ figures }) => figures.passAtK.some((one) => one.k === k)));
  const failing = arms.filter(({ figures }) => figures.failures.length > 0);
  return html`
    ${
      ks.length > 1 &&
      html`
        <section>
          <h2>Of k runs</h2>
          ${table(
            ["at least one passes (pass@k) / all pass (pass^k)", ...ks.map((k) => `k = ${k}`)],
            arms.map(({ armId, figures }) => [toVisibleLine(armId, nameLength), ...chances(figures, ks)]),
          )}
        </section>`
    }
    ${
      failing.length > 0 &&
      html`
        <section>
          <h2>Why cells did not pass</h2>
          ${table(
            ["Arm", "Reasons"],
            failing.map(({ armId, figures }) => [
              toVisibleLine(armId, nameLength),
              formatKinds(figures.failures),
            ]),
            "words",
          )}
        </section>`
    }
    ${
      agreement !== undefined &&
      html`
        <section>
          <h2>What the agent says, and what the check says</h2>
          ${table(
            ["", "check passed", "check failed"],
            [
              ["agent succeeded", agreement.agentSucceeded.passed, agreement.agentSucceeded.failed],
              ["agent failed", agreement.agentFailed.passed, agreement.agentFailed.failed],
            ],
          )}
        </section>`
    }`;
}

function chances({ passAtK }: Figures, ks: readonly number[]): string[] {
  return passAtK
    .filter(({ k }) => ks.includes(k))
    .map(({ atLeastOne, all }) => `${formatShare(atLeastOne)} / ${formatShare(all)}`);
}
