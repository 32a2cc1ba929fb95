import type { Line, Segment, Style } from "../../../outputs/text/line.js";
import { paint } from "../../../outputs/text/paint.js";
import { wrapText } from "../../../outputs/text/wrap.js";
import { cleanText } from "../../../text/clean-text.js";
import { cleanLine } from "../../../text/cut.js";
import {
  formatCount,
  formatDuration,
  formatNumberOf,
  formatShortCount,
  formatUsd,
} from "../../../text/numbers.js";
import type { BatchReport, Figures, ReportCell } from "../schema.js";
import {
  type CellMark,
  commandFor,
  describeCells,
  describeCost,
  describeSize,
  describeVerdicts,
  formatInterval,
  formatKinds,
  formatShare,
  markOfCell,
  markSigns,
  nameOfCell,
  statusWords,
} from "../words.js";
import { type Column, styled, type TableCell, toTableLines } from "./table.js";

export interface TextOptions {
  /** Columns. Default 80. */
  width?: number | undefined;
  hasColor?: boolean | undefined;
}

/** The report for a terminal. */
export function toText(report: BatchReport, { width = 80, hasColor = false }: TextOptions = {}): string {
  const sections: Line[][] = [
    renderHead(report, width),
    renderArms(report, width),
    titled(
      "Differences",
      sentences(
        report.comparisons.flatMap((one) => one.sentences),
        width,
      ),
    ),
    titled(
      "What else may be behind it",
      sentences(
        report.confounds.map(({ sentence }) => sentence),
        width,
        "warning",
      ),
    ),
    renderTasks(report, width),
    renderPassAtK(report, width),
    renderFailures(report, width),
    renderAgreement(report, width),
    renderCells(report, width),
    renderNotes(report, width),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${paint(line, hasColor).trimEnd()}\n`).join(""))
    .join("\n");
}

function titled(title: string, lines: readonly Line[]): Line[] {
  return lines.length === 0 ? [] : [[{ text: title, style: "bold" }], ...lines];
}

/** Each sentence behind a mark, wrapped. */
function sentences(all: readonly string[], width: number, style?: Style): Line[] {
  return all.flatMap((sentence) => paragraph(sentence, width, styled("•", style)));
}

function paragraph(text: string, width: number, mark: Segment, style?: Style): Line[] {
  const rows = wrapText(cleanLine(text), Math.max(20, width - 2));
  return rows.map((row, index) => [
    ...(index === 0 ? [mark, { text: " " }] : [{ text: "  " }]),
    { text: row, style },
  ]);
}

const statusStyles: Record<BatchReport["status"], Style> = {
  completed: "success",
  unfinished: "accent",
  budget: "warning",
  cancelled: "warning",
};

function renderHead(report: BatchReport, width: number): Line[] {
  const { name, batchId, status, startedAt, endedAt, reportedAt, spentUsd, budgetUsd, total } = report;
  const until = endedAt ?? reportedAt;
  const took =
    until === undefined ? "" : ` after ${formatDuration(Date.parse(until) - Date.parse(startedAt))}`;
  const budget = budgetUsd === undefined ? "" : ` of ${formatUsd(budgetUsd)}`;
  const facts = [
    batchId,
    describeSize(report),
    describeCells(total),
    describeVerdicts(total),
    `${formatUsd(spentUsd)}${budget} spent`,
  ];
  const stopped = report.stoppedAgents.map(
    ({ agent, failure }) => `${agent} was stopped (${failure.kind.replaceAll("_", " ")}): ${failure.message}`,
  );
  return [
    [
      styled(cleanLine(name), "bold"),
      { text: "  " },
      styled(statusWords[status], statusStyles[status]),
      { text: took },
    ],
    ...wrapText(facts.map(cleanLine).join(" · "), width).map((row): Line => [styled(row, "dim")]),
    ...sentences(stopped, width, "failure"),
  ];
}

const armColumns: readonly Column[] = [
  { title: "Arm", maxWidth: 22 },
  { title: "passed", isNumber: true },
  { title: "of", isNumber: true },
  { title: "interval", isNumber: true },
  { title: "cost", isNumber: true },
  { title: "time", isNumber: true },
  { title: "tokens", isNumber: true },
  { title: "errors", isNumber: true },
  { title: "turns", isNumber: true },
];

function renderArms({ arms, total }: BatchReport, width: number): Line[] {
  const rows = arms.map(({ armId, figures }): TableCell[] => [
    styled(armId, "bold"),
    ...figureCells(figures),
  ]);
  const isEstimated = (total.costUsd?.estimated ?? 0) > 0;
  const words = `Cost, time, tokens and turns are medians of one run.${isEstimated ? " ~: estimated." : ""}`;
  return [
    ...toTableLines(armColumns, rows, width),
    ...paragraph(words, width, { text: "" }, "dim").map(dedent),
  ];
}

function dedent(line: Line): Line {
  return line.slice(-1);
}

function figureCells({ passRate, failed, errors, costUsd, durationMs, tokens, turns }: Figures): TableCell[] {
  const style: Style | undefined = passRate === undefined ? undefined : failed === 0 ? "success" : undefined;
  return [
    passRate === undefined ? "" : styled(formatShare(passRate.rate), style),
    passRate === undefined ? "" : formatCount(passRate.of),
    passRate === undefined ? "no result" : formatInterval(passRate),
    costUsd === undefined ? "" : describeCost(costUsd),
    durationMs === undefined ? "" : formatDuration(durationMs.median),
    tokens === undefined ? "" : formatShortCount(Math.round(tokens.median)),
    errors === 0 ? "" : styled(formatCount(errors), "warning"),
    turns === undefined ? "" : String(Number(turns.median.toFixed(1))),
  ];
}

/** More rows than anybody reads in a terminal. */
const maxGroups = 200;
const maxSigns = 24;

const markStyles: Record<CellMark, Style> = {
  passed: "success",
  failed: "failure",
  error: "warning",
  skipped: "dim",
  running: "accent",
  waiting: "dim",
};

function renderTasks({ groups, cells, tasks }: BatchReport, width: number): Line[] {
  const marks = new Map<string, CellMark[]>();
  for (const cell of cells) {
    const key = `${cell.taskId}\n${cell.armId}`;
    marks.set(key, [...(marks.get(key) ?? []), markOfCell(cell)]);
  }
  const columns: Column[] = [
    { title: "Task", maxWidth: 24 },
    { title: "arm", maxWidth: 22 },
    { title: "runs", maxWidth: maxSigns + 1 },
    { title: "passed", isNumber: true },
    { title: "interval", isNumber: true },
    { title: "cost", isNumber: true },
    { title: "time", isNumber: true },
  ];
  const shown = groups.slice(0, maxGroups);
  const rows = shown.map(({ taskId, armId, figures }, index): TableCell[] => {
    const own = marks.get(`${taskId}\n${armId}`) ?? [];
    const signs = own.map((mark) => markSigns[mark]).join("");
    const [rate = "", , interval = "", cost = "", time = ""] = figureCells(figures);
    const style = new Set(own).size === 1 && own[0] !== undefined ? markStyles[own[0]] : undefined;
    const isFirst = shown[index - 1]?.taskId !== taskId;
    return [isFirst ? styled(taskId, "bold") : "", armId, styled(signs, style), rate, interval, cost, time];
  });
  const left = groups.length - shown.length;
  const legend = Object.entries(markSigns)
    .filter(([mark]) => cells.some((cell) => markOfCell(cell) === mark))
    .map(([mark, sign]) => `${sign} ${mark}`)
    .join("  ");
  if (tasks.length === 0) return [];
  return [
    ...toTableLines(columns, rows, width),
    ...(left > 0 ? [[styled(`… and ${formatCount(left)} more; the JSON report has all.`, "dim")]] : []),
    [styled(legend, "dim")],
  ];
}

/** The chance of k runs, for the ks that every arm has results for. */
function renderPassAtK({ arms }: BatchReport, width: number): Line[] {
  const ks = arms[0]?.figures.passAtK.map(({ k }) => k) ?? [];
  const common = ks.filter((k) => arms.every(({ figures }) => figures.passAtK.some((one) => one.k === k)));
  if (common.length < 2) return [];
  const columns: Column[] = [
    { title: "Of k runs: one passes / all pass", maxWidth: 32 },
    ...common.map((k) => ({ title: `k = ${k}`, isNumber: true })),
  ];
  const rows = arms.map(({ armId, figures }) => [
    armId,
    ...common.map((k) => {
      const found = figures.passAtK.find((one) => one.k === k);
      return found === undefined ? "" : `${formatShare(found.atLeastOne)} / ${formatShare(found.all)}`;
    }),
  ]);
  return toTableLines(columns, rows, width);
}

function renderFailures({ arms }: BatchReport, width: number): Line[] {
  const rows = arms.filter(({ figures }) => figures.failures.length > 0);
  if (rows.length === 0) return [];
  const columns: Column[] = [
    { title: "Why cells did not pass", maxWidth: 24 },
    { title: "", maxWidth: Math.max(20, width - 28) },
  ];
  return toTableLines(
    columns,
    rows.map(({ armId, figures }) => [armId, formatKinds(figures.failures)]),
    width,
  );
}

function renderAgreement({ total: { agreement } }: BatchReport, width: number): Line[] {
  if (agreement === undefined) return [];
  const { agentSucceeded, agentFailed } = agreement;
  const columns: Column[] = [
    { title: "Agent and check" },
    { title: "check passed", isNumber: true },
    { title: "check failed", isNumber: true },
  ];
  const row = (title: string, { passed, failed }: typeof agentFailed): TableCell[] => [
    title,
    formatCount(passed),
    formatCount(failed),
  ];
  return toTableLines(
    columns,
    [row("agent succeeded", agentSucceeded), row("agent failed", agentFailed)],
    width,
  );
}

const maxListed = 10;

/** Errors first: they can be repaired. Then what failed. */
function renderCells({ cells }: BatchReport, width: number): Line[] {
  const wanted = (["error", "failed"] as const).flatMap((mark) =>
    cells.filter((cell) => markOfCell(cell) === mark),
  );
  if (wanted.length === 0) return [];
  const left = wanted.length - maxListed;
  return [
    [styled("Cells that did not pass", "bold")],
    ...wanted.slice(0, maxListed).flatMap((cell) => cellLines(cell, width)),
    ...(left > 0
      ? [[styled(`… and ${formatNumberOf(left, "more cell")}; the HTML report has all.`, "dim")]]
      : []),
  ];
}

function cellLines(cell: ReportCell, width: number): Line[] {
  const mark = markOfCell(cell);
  const words = `${nameOfCell(cell)}: ${cell.reason ?? cell.kind ?? mark}`;
  const first = paragraph(cleanText(words).slice(0, 400), width, styled(markSigns[mark], markStyles[mark]));
  return cell.runId === undefined
    ? first
    : [...first, [{ text: "  " }, styled(commandFor(cell.runId), "dim")]];
}

function renderNotes({ notes }: BatchReport, width: number): Line[] {
  return notes.flatMap((note) => wrapText(note, width).map((row): Line => [styled(row, "dim")]));
}
