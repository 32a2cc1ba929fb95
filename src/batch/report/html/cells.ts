import type { Allowance } from "../../../outputs/html/limits.js";
import { html, type Markup } from "../../../outputs/html/markup.js";
import { renderDiff, renderText, renderWords } from "../../../outputs/html/views.js";
import { toVisibleLine } from "../../../text/cut.js";
import { formatCount, formatDuration, formatNumberOf, formatUsd } from "../../../text/numbers.js";
import { toPrettyJson } from "../../../text/to-json.js";
import type { BatchReport, ReportCell } from "../schema.js";
import { commandFor, markOfCell, markSigns, nameOfCell } from "../words.js";

export interface CellContext {
  allowance: Allowance;
  patchOf?: ((cellId: string) => string | undefined) | undefined;
}

/** With more cells than this, those that passed are shown without what they printed and changed: a browser must be able to open the page. */
const manyCells = 2000;

/** Every cell in a fold of its own. A link into the fold opens it, so the anchor is inside. */
export function renderCells({ tasks, cells }: BatchReport, context: CellContext): Markup {
  const byTask = new Map<string, Markup[]>(tasks.map(({ taskId }) => [taskId, []]));
  const isShort = cells.length > manyCells;
  for (const [index, cell] of cells.entries())
    byTask.get(cell.taskId)?.push(renderCell(cell, index, { ...context, isShort }));
  return html`
    <section>
      <h2>Runs</h2>
      ${isShort && html`<p class="nothing">There are many: what passed runs printed and changed is left out here.</p>`}
      ${Array.from(byTask, ([taskId, folds]) => html`<h3>${toVisibleLine(taskId, 100)}</h3>${folds}`)}
    </section>`;
}

type FoldContext = CellContext & { isShort: boolean };

function renderCell(cell: ReportCell, index: number, context: FoldContext): Markup {
  const mark = markOfCell(cell);
  return html`
    <details class="cell">
      <summary>
        <span class="mark ${mark}" role="img" aria-label="${mark}">${markSigns[mark]}</span>
        <span class="who">${toVisibleLine(cell.armId, 60)} ${cell.repetition}</span>
        ${cell.reason !== undefined && html`<span class="why" dir="auto">${toVisibleLine(cell.reason, 160)}</span>`}
        <span class="aside">${asideOf(cell)}</span>
      </summary>
      <div class="inside" id="r${index}">${renderInside(cell, context)}</div>
    </details>`;
}

function asideOf({ costUsd, durationMs }: ReportCell): string {
  const parts = [
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(costUsd === undefined ? [] : [formatUsd(costUsd)]),
  ];
  return parts.join(" · ");
}

function renderInside(cell: ReportCell, { allowance, patchOf, isShort }: FoldContext): Markup {
  const { setup, check, output, retries } = cell;
  const command = commandFor(cell);
  const known = html`
    ${renderFailure(cell, allowance)}
    ${renderKnown(cell)}
    ${command !== undefined && html`<div><h4>Open the run</h4><code>${command}</code></div>`}`;
  if (isShort && cell.verdict === "passed") return known;
  const patch = patchOf?.(cell.cellId) ?? "";
  return html`
    ${known}
    ${
      retries.length > 0 &&
      html`<div><h4>Earlier attempts</h4><ul>${retries.map(
        ({ runId: earlier, failure }) =>
          html`<li>${failure.kind.replaceAll("_", " ")}: <span dir="auto">${toVisibleLine(failure.message, 200)}</span> <code>${earlier}</code></li>`,
      )}</ul></div>`
    }
    ${output !== undefined && html`<div><h4>Output</h4>${renderText(toPrettyJson(output), allowance)}</div>`}
    ${renderStep("Setup", setup, allowance)}
    ${renderStep("Check", check, allowance)}
    ${patch !== "" && html`<div><h4>Changes</h4>${renderDiff(patch, allowance)}</div>`}`;
}

function renderFailure({ reason, outcome, ...cell }: ReportCell, allowance: Allowance): Markup | false {
  if (reason === undefined) return false;
  const { message = "", hint } = outcome?.failure ?? {};
  return html`
    <div class="failure" role="note">
      <span dir="auto">${renderWords(allowance, reason)}</span>
      ${message !== "" && message !== reason && html`<p dir="auto">${renderWords(allowance, message)}</p>`}
      ${hint !== undefined && html`<p class="next">${toVisibleLine(hint, 400)}</p>`}
      ${cell.verdict === "error" && html`<p class="next">This says nothing about the agent: the run is in no pass rate.</p>`}
    </div>`;
}

/** What is known about the run, one fact after the other. */
function renderKnown(cell: ReportCell): Markup {
  const { outcome, attempts, throttled, usage, turns, commands, changes, status } = cell;
  const facts: [label: string, value: string | undefined][] = [
    ["Run", nameOfCell(cell)],
    ["Status", status === "done" ? undefined : status],
    ["The agent", outcome && (outcome.isSuccess ? "succeeded" : outcome.reason.replaceAll("_", " "))],
    ["Duration", cell.durationMs === undefined ? undefined : formatDuration(cell.durationMs)],
    [
      "Cost",
      cell.costUsd === undefined
        ? undefined
        : formatUsd(cell.costUsd) + (cell.costSource ? " estimated" : ""),
    ],
    ["Tokens", usage?.totalTokens === undefined ? undefined : formatCount(usage.totalTokens)],
    ["Turns", turns === undefined ? undefined : formatCount(turns)],
    [
      "Commands",
      outcome &&
        `${formatCount(commands.run)}${commands.failed > 0 ? `, ${formatCount(commands.failed)} failed` : ""}`,
    ],
    [
      "Changes",
      changes &&
        `${formatNumberOf(changes.files, "file")}, +${formatCount(changes.insertions)} −${formatCount(changes.deletions)}`,
    ],
    ["Attempts", attempts > 1 ? formatCount(attempts) : undefined],
    ["Waited for limits", throttled > 0 ? formatNumberOf(throttled, "time") : undefined],
    ["Model", cell.model],
    ["Version", cell.agentVersion],
    ["Authentication", cell.authentication],
    ["Worker", cell.worker],
  ];
  const known = facts.filter(([, value]) => value !== undefined);
  return html`<dl class="known">${known.map(([label, value = ""]) => html`<div><dt>${label}</dt><dd dir="auto">${toVisibleLine(value, 160)}</dd></div>`)}</dl>`;
}

function renderStep(title: string, step: ReportCell["check"], allowance: Allowance): Markup | false {
  if (step === undefined) return false;
  const end = step.isTimedOut
    ? "timed out"
    : step.signal === undefined
      ? `exit ${step.exitCode ?? "unknown"}`
      : `killed by ${step.signal}`;
  return html`
    <div>
      <h4>${title}: ${step.isSuccess ? "succeeded" : "failed"}, ${end}, ${formatDuration(step.durationMs)}</h4>
      ${renderText(step.tail.trimEnd(), allowance)}
    </div>`;
}
