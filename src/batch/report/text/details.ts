import type { Line, Style } from "../../../outputs/text/line.js";
import { cleanLine, cutEndOf } from "../../../text/cut.js";
import { formatCount, formatNumberOf } from "../../../text/numbers.js";
import type { BatchReport, ReportCell } from "../schema.js";
import {
  type CellMark,
  cellsByGroup,
  commandFor,
  commonKs,
  describeChances,
  findNotPassed,
  formatKinds,
  groupKey,
  markOfCell,
  markSigns,
  nameOfCell,
} from "../words.js";
import { dimRows, figureCells, paragraph } from "./rows.js";
import { type Column, styled, type TableCell, toTableLines } from "./table.js";

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

export function renderTasks(report: BatchReport, width: number): Line[] {
  const { groups, cells, tasks } = report;
  const cellsOf = cellsByGroup(report);
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
    const marks = (cellsOf.get(groupKey({ taskId, armId })) ?? []).map(markOfCell);
    const signs = marks.map((mark) => styled(markSigns[mark], markStyles[mark]));
    const [rate = "", , interval = "", cost = "", time = ""] = figureCells(figures);
    const isFirst = shown[index - 1]?.taskId !== taskId;
    return [isFirst ? styled(taskId, "bold") : "", armId, signs, rate, interval, cost, time];
  });
  const left = groups.length - shown.length;
  const legend = Object.entries(markSigns)
    .filter(([mark]) => cells.some((cell) => markOfCell(cell) === mark))
    .map(([mark, sign]) => `${sign} ${mark}`)
    .join("  ");
  if (tasks.length === 0) return [];
  return [
    ...toTableLines(columns, rows, width),
    ...(left > 0 ? dimRows(`… and ${formatCount(left)} more; the JSON report has all.`, width) : []),
    ...dimRows(legend, width),
  ];
}

/** The chance of k runs, for the ks that every arm has results for. */
export function renderPassAtK(report: BatchReport, width: number): Line[] {
  const ks = commonKs(report);
  if (ks.length < 2) return [];
  const columns: Column[] = [
    { title: "Of k runs: one passes / all pass", maxWidth: 32 },
    ...ks.map((k) => ({ title: `k = ${k}`, isNumber: true })),
  ];
  const rows = report.arms.map(({ armId, figures }) => [armId, ...describeChances(figures, ks)]);
  return toTableLines(columns, rows, width);
}

export function renderFailures({ arms }: BatchReport, width: number): Line[] {
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

export function renderAgreement({ total: { agreement } }: BatchReport, width: number): Line[] {
  if (agreement === undefined) return [];
  const { agentSucceeded, agentFailed } = agreement;
  // If every agent succeeded and every check passed, there is nothing to compare.
  if (agentSucceeded.failed + agentFailed.passed + agentFailed.failed === 0) return [];
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

export function renderNotPassed(report: BatchReport, width: number): Line[] {
  const wanted = findNotPassed(report);
  if (wanted.length === 0) return [];
  const left = wanted.length - maxListed;
  const more = `… and ${formatNumberOf(left, "more cell")}; the HTML report has all.`;
  return [
    [styled("Cells that did not pass", "bold")],
    ...wanted.slice(0, maxListed).flatMap((cell) => cellLines(cell, width)),
    ...(left > 0 ? dimRows(more, width) : []),
  ];
}

const longestReason = 400;

function cellLines(cell: ReportCell, width: number): Line[] {
  const mark = markOfCell(cell);
  const words = `${nameOfCell(cell)}: ${cell.reason ?? cell.kind ?? mark}`;
  const sign = styled(markSigns[mark], markStyles[mark]);
  const first = paragraph(cutEndOf(cleanLine(words), longestReason), width, sign);
  const command = commandFor(cell);
  // A command that is longer than a row stays whole, so that it can be copied.
  return command === undefined ? first : [...first, [{ text: "  " }, styled(command, "dim")]];
}
